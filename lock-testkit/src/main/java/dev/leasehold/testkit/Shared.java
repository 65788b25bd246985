package dev.leasehold.testkit;

import dev.leasehold.testkit.BackendUnderTest.Reach;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;
import dev.leasehold.testkit.server.StoreServer;
import dev.leasehold.testkit.worker.WorkerPool;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** What all rules of one run have in common: the backend, a server, and worker JVMs. */
record Shared(
    BackendUnderTest backend, String address, Optional<StoreServer> server, WorkerPool workers)
    implements AutoCloseable {
  private static final AtomicInteger MEMORIES = new AtomicInteger();

  static Shared start(BackendUnderTest backend) {
    if (backend.reach() == Reach.PROCESS) {
      return new Shared(
          backend, "memory-" + MEMORIES.incrementAndGet(), Optional.empty(), new WorkerPool());
    }
    StoreServer server = start(backend, ServerOptions.defaults());
    return new Shared(backend, server.uri(), Optional.of(server), new WorkerPool());
  }

  /**
   * A server for the backend, or as many as its quorum has nodes.
   *
   * @param options of a Redis server; others have none
   */
  static StoreServer start(BackendUnderTest backend, ServerOptions options) {
    if (backend.reach() == Reach.PROCESSES) {
      return backend.startServer();
    }
    return backend.nodes() == 1
        ? RedisServers.start(options)
        : ServerGroup.start(backend.nodes(), options, backend::admit);
  }

  @Override
  public void close() {
    workers.close();
    server.ifPresent(StoreServer::close);
  }
}
