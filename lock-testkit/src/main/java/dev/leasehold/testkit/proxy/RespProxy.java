package dev.leasehold.testkit.proxy;

import dev.leasehold.testkit.server.Ports;
import dev.leasehold.testkit.server.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A proxy on loopback in front of a Redis or Valkey server. It reads RESP2 and RESP3 in both
 * directions, matches replies with requests, and injects faults into single commands:
 * <!-- given: RedisServer server -->
 *
 * <pre>{@code
 * try (RespProxy proxy = RespProxy.inFrontOf(server)) {
 *   ActiveFault lost = proxy.next(1, CommandMatch.named("EVALSHA"), CommandFault.cutAfter());
 *   // what must survive the lost reply
 *   Supplier<CommandCounts> count = proxy.counting();
 *   // what must cost one round trip
 *   assertEquals(1, count.get().withoutHousekeeping().total());
 * }
 * }</pre>
 *
 * <p>Nothing is ever reordered. It does not speak TLS. A clustered or Sentinel-managed server
 * advertises its own address, so clients bypass the proxy.
 *
 * <p>Thread-safe. Its threads, two per connection, are daemons.
 */
public final class RespProxy implements CommandProxy {
  private static final int BACKLOG = 128;
  private static final int TRIES = 20;
  private static final int CONNECT_MILLIS = 5_000;

  private final int port;
  private final Conditions conditions = new Conditions();
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final AtomicLong accepted = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable ServerSocket listener;
  private @Nullable Thread acceptor;
  private int refusals;
  private volatile boolean closed;
  private volatile InetSocketAddress target;

  private RespProxy(InetSocketAddress target) {
    this.target = target;
    this.port = listenAnywhere();
  }

  /** Starts a proxy in front of a plain-text server. */
  public static RespProxy inFrontOf(RedisServer server) {
    return inFrontOf(server.host(), server.port());
  }

  /** Starts a proxy in front of an address. */
  public static RespProxy inFrontOf(String host, int port) {
    return new RespProxy(new InetSocketAddress(host, port));
  }

  /** The host for clients: {@code 127.0.0.1}. */
  public String host() {
    return "127.0.0.1";
  }

  /** The port for clients. */
  public int port() {
    return port;
  }

  /** {@code redis://127.0.0.1:port}. */
  @Override
  public String uri() {
    return "redis://" + host() + ":" + port;
  }

  @Override
  public ActiveFault every(CommandMatch match, CommandFault fault) {
    return conditions.install(match, fault, Integer.MAX_VALUE);
  }

  @Override
  public ActiveFault everyBy(Supplier<CommandMatch> match, CommandFault fault) {
    return every(match.get(), fault);
  }

  @Override
  public ActiveFault next(int commands, CommandMatch match, CommandFault fault) {
    if (commands < 1) {
      throw new IllegalArgumentException("commands is " + commands + "; it must be at least 1");
    }
    return conditions.install(match, fault, commands);
  }

  /** Holds back all data in one direction, on all connections, until the fault is closed. */
  public ActiveFault hold(Direction direction) {
    return conditions.hold(direction);
  }

  /**
   * Drops all data in both directions, without closing a connection, until the fault is closed. New
   * connections are accepted and equally silent. At the end, connections that lost data are cut.
   */
  public ActiveFault blackhole() {
    return conditions.blackhole();
  }

  /** Refuses new connections until the fault is closed. Existing ones continue. */
  public ActiveFault refuse() {
    AtomicBoolean once = new AtomicBoolean(true);
    lock.lock();
    try {
      refusals++;
      stopListening();
    } finally {
      lock.unlock();
    }
    return new InstalledFault(
        CommandMatch.any(),
        CommandFault.cutBefore(),
        0,
        conditions.bell(),
        fault -> {
          if (once.getAndSet(false)) {
            acceptAgain();
          }
        });
  }

  private void acceptAgain() {
    lock.lock();
    try {
      refusals--;
      if (refusals == 0 && !closed) {
        listen(port);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Port " + port + " is in use by another process", e);
    } finally {
      lock.unlock();
    }
  }

  /** Closes all connections, on both sides. Clients may reconnect at once. */
  public void cutAll() {
    links.forEach(Link::cut);
  }

  /** Ends all faults, holds and blackholes; a {@link #refuse()} stays active. */
  public void clear() {
    conditions.clear();
  }

  /** Closes all connections and directs new ones to this server: a failover that clients notice. */
  public void redirect(RedisServer server) {
    target = new InetSocketAddress(server.host(), server.port());
    cutAll();
  }

  /** The number of open connections. */
  public int connections() {
    return links.size();
  }

  /** The number of connections so far, including open ones. */
  public long connectionsSoFar() {
    return accepted.get();
  }

  /** The number of commands sent by clients so far, whatever their outcome. */
  @Override
  public CommandCounts counts() {
    return conditions.counts();
  }

  @Override
  public Supplier<CommandCounts> counting() {
    CommandCounts before = counts();
    return () -> counts().minus(before);
  }

  /**
   * Clears the record and records commands from now on.
   *
   * @param most the maximum number recorded, to bound memory; later commands are not recorded
   */
  public void record(int most) {
    conditions.record(most);
  }

  /** The commands since {@link #record}, in the order in which the proxy read them. */
  public List<RecordedCommand> recorded() {
    return conditions.recorded();
  }

  private int listenAnywhere() {
    for (int i = 1; ; i++) {
      int candidate = Ports.free();
      try {
        listen(candidate);
        return candidate;
      } catch (IOException e) {
        // another process was faster
        if (i == TRIES) {
          throw new UncheckedIOException("No free port for the proxy", e);
        }
      }
    }
  }

  private void listen(int at) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(host()), at), BACKLOG);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    listener = socket;
    Thread thread = new Thread(() -> accept(socket), "resp-proxy-" + at);
    thread.setDaemon(true);
    thread.start();
    acceptor = thread;
  }

  /**
   * Returns only when nothing accepts any more: while a thread is still in accept, the kernel takes
   * connections.
   */
  private void stopListening() {
    ServerSocket socket = listener;
    Thread thread = acceptor;
    listener = null;
    acceptor = null;
    if (socket != null) {
      close(socket);
    }
    if (thread != null) {
      joinUninterruptibly(thread);
    }
  }

  private static void joinUninterruptibly(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void accept(ServerSocket socket) {
    while (true) {
      Socket client;
      try {
        client = socket.accept();
      } catch (IOException e) {
        // closed: nothing more is accepted
        return;
      }
      if (socket.isClosed()) {
        close(client); // it was accepted while the proxy closed
        return;
      }
      Socket server = new Socket();
      try {
        server.connect(target, CONNECT_MILLIS);
        Link link = new Link(accepted.incrementAndGet(), conditions, client, server, links::remove);
        links.add(link);
        link.start();
        if (closed) {
          link.cut();
        }
      } catch (IOException e) {
        // There is no server: the client sees a connection that ends at once.
        close(client);
        close(server);
      }
    }
  }

  private static void close(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      System.getLogger(RespProxy.class.getName())
          .log(System.Logger.Level.DEBUG, "A socket did not close", e);
    }
  }

  /** Closes all connections and stops listening. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      stopListening();
    } finally {
      lock.unlock();
    }
    cutAll();
    conditions.clear();
  }
}
