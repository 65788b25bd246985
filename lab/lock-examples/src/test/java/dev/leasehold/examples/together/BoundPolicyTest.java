package dev.leasehold.examples.together;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.inject.Guice;
import com.google.inject.Injector;
import dev.leasehold.examples.NewNodes;
import dev.leasehold.guice.LeaseholdModule;
import dev.leasehold.guice.LockManagers;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A QuorumPolicy that an application binds with Guice decides")
class BoundPolicyTest {
  private static final QuorumPolicy UNANIMOUS = nodes -> nodes.size() == nodes.outOf();

  /** Long enough for votes that arrive late on a busy machine. */
  private static final LockOptions LEASE = LockOptions.fixed(Duration.ofSeconds(20));

  private int names;

  private static Injector injector(ServerGroup servers, QuorumPolicy policy) {
    return Guice.createInjector(
        LeaseholdModule.of(
            LockSettings.of(
                Map.of("lock.backend", "redlock", "lock.redlock.nodes", servers.uri()))),
        binder -> binder.bind(QuorumPolicy.class).toInstance(policy));
  }

  /** Whether a free lock is granted; it is released again, on a quorum at least. */
  private boolean granted(LockManager locks) {
    return locks
        .lock("l" + ++names, LEASE)
        .tryAcquire()
        .map(
            lease -> {
              lease.release();
              return true;
            })
        .orElse(false);
  }

  @Test
  @DisplayName("With one node of three down a unanimous one has no quorum, and a majority has")
  void decides() {
    try (ServerGroup servers = ServerGroup.start(3, ServerOptions.defaults(), NewNodes::mayVote)) {
      Injector all = injector(servers, UNANIMOUS);
      Injector most = injector(servers, QuorumPolicy.majority());
      try {
        LockManager unanimous = all.getInstance(LockManager.class);
        LockManager majority = most.getInstance(LockManager.class);
        assertEquals(true, granted(unanimous));
        assertEquals(true, granted(majority));
        servers.servers().get(2).kill();
        assertThrows(LockStoreException.class, () -> granted(unanimous));
        assertEquals(true, granted(majority));
      } finally {
        all.getInstance(LockManagers.class).close();
        most.getInstance(LockManagers.class).close();
      }
    }
  }
}
