package dev.leasehold.testkit.proxy;

import dev.leasehold.testkit.proxy.CommandFault.Kind;
import dev.leasehold.testkit.proxy.RespReader.Request;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client's connection and its connection to the server: two threads. */
final class Link {
  private final long id;
  private final Conditions conditions;
  private final Socket client;
  private final Socket server;
  private final Consumer<Link> ended;
  private final OutputStream toServer;
  private final OutputStream toClient;
  private final Subscriptions subscriptions = new Subscriptions();
  private final ReplyMode replyMode = new ReplyMode();
  private final ReentrantLock queueLock = new ReentrantLock();
  private final Deque<Pending> queue = new ArrayDeque<>();

  /** Both threads write to the client: server replies, and the proxy's own answers. */
  private final ReentrantLock toClientLock = new ReentrantLock();

  private volatile boolean cut;
  private volatile boolean replicating;
  private boolean requestsLost;
  private volatile boolean repliesLost;
  private boolean stray;

  Link(long id, Conditions conditions, Socket client, Socket server, Consumer<Link> ended)
      throws IOException {
    this.id = id;
    this.conditions = conditions;
    this.client = client;
    this.server = server;
    this.ended = ended;
    this.toServer = new BufferedOutputStream(server.getOutputStream());
    this.toClient = new BufferedOutputStream(client.getOutputStream());
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
  }

  void start() {
    start("requests", this::passRequests);
    start("replies", this::passReplies);
  }

  private void start(String what, Body body) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (IOException e) {
                cut();
              } catch (RuntimeException | Error e) {
                cut();
                throw e;
              }
            },
            "resp-proxy-" + client.getLocalPort() + "-" + id + "-" + what);
    thread.setDaemon(true);
    thread.start();
  }

  private interface Body {
    void run() throws IOException;
  }

  /** Closes both connections, dropping data in flight. */
  void cut() {
    cut = true;
    for (Socket socket : List.of(client, server)) {
      try {
        socket.close();
      } catch (IOException e) {
        System.getLogger(Link.class.getName())
            .log(System.Logger.Level.DEBUG, "A connection did not close", e);
      }
    }
    conditions.bell().ring();
    ended.accept(this);
  }

  /** Resets the client's side of the connection; the server's side stays open. */
  private void resetClient() throws IOException {
    stray = true;
    toClientLock.lock();
    try {
      toClient.flush();
      repliesLost = true;
    } finally {
      toClientLock.unlock();
    }
    client.setSoLinger(true, 0);
    client.close();
  }

  private void passRequests() throws IOException {
    RespReader reader = new RespReader(client.getInputStream(), toServer::flush);
    for (Optional<Request> next = reader.request(); next.isPresent(); next = reader.request()) {
      pass(next.get());
      if (stray) {
        break; // the client sends no more
      }
      if (replicating) {
        reader.pump(toServer);
        break;
      }
    }
    toServer.flush();
    // The client has finished sending, but may still wait for replies.
    server.shutdownOutput();
  }

  private void pass(Request request) throws IOException {
    if (request.words().isEmpty()) {
      toServer.write(request.bytes());
      return;
    }
    String name = request.words().get(0).toUpperCase(Locale.ROOT);
    RespCommand command =
        new RespCommand(name, request.words().subList(1, request.words().size()), id);
    List<InstalledFault> faults = conditions.seen(command);
    boolean answered = replyMode.isAnswered(command);
    replicating = name.equals("PSYNC") || name.equals("SYNC");
    for (InstalledFault installed : faults) {
      CommandFault fault = installed.fault();
      if (fault.kind == Kind.DELAY_REQUEST) {
        toServer.flush();
        waitFor(fault.delay);
      } else if (fault.kind == Kind.HOLD_REQUEST || fault.kind == Kind.STRAY_REQUEST) {
        toServer.flush();
        if (fault.kind == Kind.STRAY_REQUEST) {
          resetClient();
        }
        conditions.bell().await(() -> cut || installed.isRemoved());
      } else if (fault.kind == Kind.DROP_REQUEST) {
        requestsLost = true;
        installed.breaks(this);
      } else if (fault.kind == Kind.CUT_BEFORE) {
        toServer.flush();
        cut();
        return;
      } else if (fault.kind == Kind.REFUSE && !requestsLost) {
        if (answered) {
          answer(Pending.injected(command, fault.error));
        }
        return;
      }
    }
    if (conditions.isHeld(Direction.REQUESTS)) {
      toServer.flush();
      conditions.bell().await(() -> cut || !conditions.isHeld(Direction.REQUESTS));
    }
    for (InstalledFault blackhole : conditions.blackholes()) {
      requestsLost |= blackhole.hits(command);
      blackhole.breaks(this);
    }
    if (requestsLost || cut) {
      return;
    }
    if (answered) {
      queueLock.lock();
      try {
        queue.add(Pending.of(command, faults));
      } finally {
        queueLock.unlock();
      }
    }
    toServer.write(request.bytes());
  }

  /** Answers in place of the server, once all earlier requests are answered. */
  private void answer(Pending injected) throws IOException {
    boolean first;
    queueLock.lock();
    try {
      first = queue.isEmpty();
      queue.add(injected);
    } finally {
      queueLock.unlock();
    }
    if (first) {
      // No reply from the server will trigger this answer later.
      writeInjected();
      flushToClient();
    }
  }

  private void passReplies() throws IOException {
    RespReader reader = new RespReader(server.getInputStream(), this::flushToClient);
    for (Optional<Frame> next = reader.reply(); next.isPresent(); next = reader.reply()) {
      Subscriptions.Answer answer = subscriptions.answer(next.get(), oldest());
      byte[] bytes = next.get().bytes();
      if (answer.request().isPresent()) {
        bytes = throughFaults(answer.request().get(), bytes);
      }
      if (conditions.isHeld(Direction.REPLIES)) {
        flushToClient();
        conditions.bell().await(() -> cut || !conditions.isHeld(Direction.REPLIES));
      }
      for (InstalledFault blackhole : conditions.blackholes()) {
        repliesLost = true;
        blackhole.breaks(this);
      }
      write(bytes);
      if (answer.isLast()) {
        answered();
        writeInjected();
      }
      if (replicating && oldest() == null) {
        reader.pump(client.getOutputStream());
        break;
      }
    }
    flushToClient();
    cut();
  }

  private byte[] throughFaults(Pending request, byte[] reply) throws IOException {
    byte[] bytes = reply;
    for (InstalledFault installed : request.faults()) {
      CommandFault fault = installed.fault();
      if (fault.kind == Kind.DELAY_REPLY) {
        flushToClient();
        waitFor(fault.delay);
      } else if (fault.kind == Kind.HOLD_REPLY) {
        flushToClient();
        conditions.bell().await(() -> cut || installed.isRemoved());
      } else if (fault.kind == Kind.DROP_REPLY) {
        repliesLost = true;
        installed.breaks(this);
      } else if (fault.kind == Kind.CUT_AFTER) {
        flushToClient();
        cut();
      } else if (fault.kind == Kind.FAIL) {
        bytes = Pending.error(fault.error);
      }
    }
    return bytes;
  }

  private @Nullable Pending oldest() {
    queueLock.lock();
    try {
      return queue.peek();
    } finally {
      queueLock.unlock();
    }
  }

  private void answered() {
    queueLock.lock();
    try {
      queue.poll();
    } finally {
      queueLock.unlock();
    }
  }

  /** Writes the proxy's own answers that are due. Called by one thread at a time. */
  private void writeInjected() throws IOException {
    for (Pending next = oldest();
        next != null && next.injectedReply().isPresent();
        next = oldest()) {
      write(next.injectedReply().get());
      answered();
    }
  }

  private void write(byte[] bytes) throws IOException {
    toClientLock.lock();
    try {
      if (!repliesLost) {
        toClient.write(bytes);
      }
    } finally {
      toClientLock.unlock();
    }
  }

  private void flushToClient() throws IOException {
    toClientLock.lock();
    try {
      toClient.flush();
    } finally {
      toClientLock.unlock();
    }
  }

  private void waitFor(Duration time) throws IOException {
    try {
      conditions.bell().await(() -> cut, time);
    } catch (InterruptedException e) {
      throw new IOException("The proxy's thread was interrupted", e);
    }
  }
}
