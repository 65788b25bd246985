package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.setnx.Ops.TTL;
import static dev.leasehold.redis.setnx.Ops.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.testkit.server.RedisCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The schemes that store a time, on a cluster")
class TimestampClusterTest {
  private static final int LOCKS = 24;
  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource(names = "SETNX_SCRIPT", mode = EnumSource.Mode.EXCLUDE)
  @DisplayName("keep all of a lock on the node of its slot, whichever that is")
  void onAllNodes(SetnxScheme scheme) {
    String uri =
        cluster.primaries().stream()
            .map(node -> node.host() + ":" + node.port())
            .collect(Collectors.joining(",", "redis://", ""));
    String[] settings = {
      "lock.redis-setnx.scheme", RedisSettings.id(scheme), "lock.redis.cluster", "true",
    };
    try (Ops mine = Ops.open(uri, settings);
        Ops other = Ops.open(uri, settings)) {
      List<LeaseKey> held = new ArrayList<>();
      for (int i = 0; i < LOCKS; i++) {
        LeaseKey key = key(RedisSettings.id(scheme) + "-" + i);
        assertTrue(mine.takes(key));
        held.add(key);
      }
      for (LeaseKey key : held) {
        assertInstanceOf(Held.class, other.acquire(key(key.name())));
        assertEquals(RenewResult.RENEWED, mine.renew(key, TTL.multipliedBy(2)));
        assertEquals(ReleaseResult.RELEASED, mine.release(key));
        assertTrue(other.takes(key(key.name())));
      }
    }
  }
}
