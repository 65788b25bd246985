package dev.leasehold.testkit;

import dev.leasehold.testkit.BackendUnderTest.Reach;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.worker.WorkerPool;
import java.util.Optional;

/** What all rules of one run have in common: the backend, a server, and worker JVMs. */
record Shared(
    BackendUnderTest backend, String address, Optional<RedisServer> server, WorkerPool workers)
    implements AutoCloseable {

  static Shared start(BackendUnderTest backend) {
    if (backend.reach() == Reach.PROCESS) {
      return new Shared(backend, "memory", Optional.empty(), new WorkerPool());
    }
    RedisServer server = RedisServers.start();
    return new Shared(backend, server.uri(), Optional.of(server), new WorkerPool());
  }

  @Override
  public void close() {
    workers.close();
    server.ifPresent(RedisServer::close);
  }
}
