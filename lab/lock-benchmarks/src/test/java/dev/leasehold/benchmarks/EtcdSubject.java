package dev.leasehold.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.Lock;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.lock.LockResponse;
import io.grpc.stub.StreamObserver;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * etcd's lock through jetcd, on an etcd of its own: one member, which flushes each change to its
 * log in the temporary folder. The lease, which is kept alive, is the client's and outlives each
 * lock, as a session does in etcd's own clients.
 */
final class EtcdSubject implements Subject {
  private static final String EXECUTABLE = "etcd";
  private static final long LEASE_SECONDS = 30;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A pair takes milliseconds. */
  private static final int FEWER = 10;

  /** Kept here, since a logger that is not referenced loses its level. */
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  private final Path folder;
  private final Process server;
  private final Client client;
  private final long lease;

  private EtcdSubject(Path folder, Process server, Client client, long lease) {
    this.folder = folder;
    this.server = server;
    this.client = client;
    this.lease = lease;
  }

  /** The executable on this process's path. */
  static Optional<Path> installed() {
    return installed(System.getenv().getOrDefault("PATH", ""));
  }

  /** The executable on a path as in {@code PATH}. */
  static Optional<Path> installed(String path) {
    return Stream.of(path.split(File.pathSeparator))
        .map(folder -> Path.of(folder, EXECUTABLE))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static Subject start(Path executable) throws Exception {
    return start(executable, PATIENCE);
  }

  /** Waits no longer than the patience; leaves neither process nor folder behind if it fails. */
  static Subject start(Path executable, Duration patience) throws Exception {
    GRPC.setLevel(Level.WARNING);
    List<Integer> ports = freePorts(2);
    String clients = "http://127.0.0.1:" + ports.get(0);
    String peers = "http://127.0.0.1:" + ports.get(1);
    Path folder = Files.createTempDirectory(EXECUTABLE);
    Process server;
    try {
      server =
          new ProcessBuilder(
                  List.of(
                      executable.toString(),
                      "--data-dir=" + folder,
                      "--listen-client-urls=" + clients,
                      "--advertise-client-urls=" + clients,
                      "--listen-peer-urls=" + peers,
                      "--initial-advertise-peer-urls=" + peers,
                      "--initial-cluster=default=" + peers))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      delete(folder);
      throw e;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(server::destroyForcibly));
    Client client = Client.builder().endpoints(clients).waitForReady(true).build();
    try {
      Lease leases = client.getLeaseClient();
      long lease =
          leases.grant(LEASE_SECONDS).get(patience.toMillis(), TimeUnit.MILLISECONDS).getID();
      leases.keepAlive(lease, new Ignored());
      return new EtcdSubject(folder, server, client, lease);
    } catch (ExecutionException | TimeoutException e) {
      end(folder, server, client);
      throw new IllegalStateException(executable + " has not granted a lease", e);
    } catch (InterruptedException | RuntimeException e) {
      end(folder, server, client);
      throw e;
    }
  }

  /** Ports that differ, since all of them are taken before the first is given back. */
  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  @Override
  public String name() {
    return EXECUTABLE;
  }

  @Override
  public int pairs(Effort effort) {
    return Math.max(1, effort.pairs() / FEWER);
  }

  @Override
  public Pair on(String key) {
    Lock locks = client.getLockClient();
    ByteSequence name = ByteSequence.from("peers/" + key, UTF_8);
    return () -> {
      LockResponse held = locks.lock(name, lease).get();
      locks.unlock(held.getKey()).get();
    };
  }

  @Override
  public void close() {
    end(folder, server, client);
  }

  private static void end(Path folder, Process server, Client client) {
    client.close();
    server.destroyForcibly();
    // A process that was killed ends at once, also for a thread that is interrupted.
    server.onExit().join();
    delete(folder);
  }

  private static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An end of the lease shows in the locks themselves. */
  private static final class Ignored implements StreamObserver<LeaseKeepAliveResponse> {
    @Override
    public void onNext(LeaseKeepAliveResponse renewed) {}

    @Override
    public void onError(Throwable error) {}

    @Override
    public void onCompleted() {}
  }
}
