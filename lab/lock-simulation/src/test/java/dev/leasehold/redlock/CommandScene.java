package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A store without scripts, called directly by a story, and its server. */
class CommandScene {
  static final LeaseKey ONE = new LeaseKey("a", "c:1");
  static final LeaseKey TWO = new LeaseKey("a", "c:2");
  static final Duration LEASE = Duration.ofSeconds(10);
  static final String LOCK = "lh:{a}";
  static final String FENCE = LOCK + ":fence";
  static final long DAY_AND_HOUR = 90_000_000;

  /** As in {@link DirectStore#context}. */
  static final long COMMAND_TIMEOUT = 2000;

  final Scene scene = new Scene(1);
  final MinimumHold store;

  CommandScene() {
    SimNode node = scene.world.node("c");
    store = scene.servers.get(0).commandStore(node, scene);
    store.start(DirectStore.context(node));
  }

  /** Another client's store, with scripts. */
  LeaseStore scripts() {
    SimNode node = scene.world.node("d");
    LeaseStore scripts = scene.servers.get(0).store(node, scene);
    scripts.start(DirectStore.context(node));
    return scripts;
  }

  /** What the call fails with. */
  String failure(CompletionStage<?> call) {
    scene.run(100);
    return String.valueOf(call.handle((done, thrown) -> thrown).toCompletableFuture().join());
  }

  Object at(String... words) {
    return scene.at(0, words);
  }

  /** The key's time to live, which began a message's way ago at most. */
  void lasts(String key, long millis) {
    long left = (Long) at("PTTL", key);
    check(left > millis - 20 && left <= millis, key + " lasts for " + left + " ms");
  }

  static AcquireRequest request(LeaseKey lease) {
    return new AcquireRequest(lease, LEASE, IfHeld.REFUSE);
  }

  AcquireResult acquire(AcquireRequest request) {
    return scene.world.await(store.acquire(request));
  }

  long acquire(LeaseKey lease) {
    return fence(acquire(request(lease)));
  }

  static long fence(AcquireResult result) {
    if (result instanceof Granted granted) {
      return granted.fence().orElseThrow();
    }
    throw new AssertionError("refused: " + result);
  }

  ReleaseResult release(LeaseKey lease) {
    return scene.world.await(store.release(lease));
  }

  RenewResult renew(LeaseKey lease, Duration ttl) {
    return scene.world.await(store.renew(List.of(new RenewRequest(lease, ttl))).get(0));
  }

  /** Does this before the n-th message of acquisitions from now on arrives. */
  void before(int n, Runnable action) {
    long sent = scene.sent(Operation.ACQUIRE);
    scene.plan =
        call -> {
          if (call.operation() == Operation.ACQUIRE && scene.sent(Operation.ACQUIRE) - sent == n) {
            action.run();
          }
          return Fate.after(Scene.WAY);
        };
  }
}
