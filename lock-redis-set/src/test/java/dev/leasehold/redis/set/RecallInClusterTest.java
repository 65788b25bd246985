package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.Await;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@EnumSource(
    value = ServerKind.class,
    names = {"EMBEDDED", "REDIS"})
@DisplayName("A lease on a cluster that can be recalled")
class RecallInClusterTest {
  private TestCluster cluster;

  @Parameter private ServerKind kind;

  @BeforeParameterizedClassInvocation
  void start() {
    cluster = TestCluster.start(kind);
  }

  @AfterParameterizedClassInvocation
  void stop() {
    if (cluster != null) {
      cluster.close();
      cluster = null;
    }
  }

  private StoreOps open(String prefix) {
    Map<String, String> all = new HashMap<>();
    all.put("lock.redis.uri", cluster.uri());
    all.put("lock.redis.cluster", "true");
    if (!prefix.isEmpty()) {
      all.put("lock.redis.key-prefix", prefix);
    }
    return StoreOps.open(all);
  }

  private static LeaseKey recallable(StoreOps store, String name, String token) {
    return ((RecallStore) store.store()).recallable(new LeaseKey(name, token));
  }

  @ParameterizedTest(name = "key prefix \"{0}\"")
  @ValueSource(strings = {"", "tenant:"})
  @DisplayName("is recalled on each node by the refusal, or by a message if the refusal says so")
  void recalled(String prefix) {
    try (StoreOps keeper = open(prefix);
        StoreOps other = open(prefix)) {
      for (int node = 0; node < 3; node++) {
        String name = cluster.nameOn(node);
        AtomicInteger recalls = new AtomicInteger();
        LeaseKey kept = recallable(keeper, name, "keeper:1");
        RecallStore listening = (RecallStore) keeper.store();
        Watch watch = Await.value(listening.onRecall(kept, recalls::incrementAndGet));
        keeper.acquire(kept);
        recalls.set(0);
        LeaseKey mine = recallable(other, name, "other:1");
        Held held = assertInstanceOf(Held.class, other.acquire(mine, StoreOps.TTL, IfHeld.REFUSE));
        assertEquals(kept.token(), held.recallable().orElseThrow());
        if (kind.hasShardedPubSub()) {
          assertTrue(held.recalled(), "a message in the slot is counted where it is sent");
        } else if (!held.recalled()) {
          Await.value(((RecallStore) other.store()).recall(kept));
        }
        Await.until("the keeper hears it", () -> recalls.get() > 0);
        watch.close();
        keeper.release(kept);
      }
    }
  }

  @Test
  @DisplayName("is recalled when its subscription breaks: a recall may be missed from then on")
  void broken() {
    try (StoreOps keeper = open("")) {
      String name = cluster.nameOn(0);
      AtomicInteger recalls = new AtomicInteger();
      LeaseKey kept = recallable(keeper, name, "keeper:1");
      RecallStore listening = (RecallStore) keeper.store();
      Watch watch = Await.value(listening.onRecall(kept, recalls::incrementAndGet));
      try {
        keeper.acquire(kept);
        recalls.set(0);
        onAll("ACL", "SETUSER", "default", "resetchannels"); // so that it is not subscribed again
        onAll("CLIENT", "KILL", "TYPE", "pubsub");
        Await.until("the lease is recalled", () -> recalls.get() > 0);
      } finally {
        onAll("ACL", "SETUSER", "default", "allchannels");
        watch.close();
        keeper.release(kept);
      }
    }
  }

  private void onAll(String... command) {
    cluster.nodes().forEach(node -> node.call(command));
  }
}
