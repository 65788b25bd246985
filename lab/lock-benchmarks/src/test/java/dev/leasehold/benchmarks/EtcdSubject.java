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
  private static final long PATIENCE_SECONDS = 30;

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
    GRPC.setLevel(Level.WARNING);
    Path folder = Files.createTempDirectory(EXECUTABLE);
    String clients = "http://127.0.0.1:" + freePort();
    String peers = "http://127.0.0.1:" + freePort();
    Process server =
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
    Runtime.getRuntime().addShutdownHook(new Thread(server::destroyForcibly));
    Client client = Client.builder().endpoints(clients).waitForReady(true).build();
    Lease leases = client.getLeaseClient();
    try {
      long lease = leases.grant(LEASE_SECONDS).get(PATIENCE_SECONDS, TimeUnit.SECONDS).getID();
      leases.keepAlive(lease, new Ignored());
      return new EtcdSubject(folder, server, client, lease);
    } catch (ExecutionException | TimeoutException e) {
      client.close();
      server.destroyForcibly();
      throw new IllegalStateException(executable + " has not granted a lease", e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
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
    client.close();
    server.destroyForcibly();
    try (Stream<Path> all = Files.walk(folder)) {
      server.waitFor();
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
