package dev.leasehold.redlock;

import static dev.leasehold.redlock.DirectStore.KEY;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.SimCall;
import dev.leasehold.testkit.sim.SimCall.Operation;
import java.time.Duration;
import java.util.List;

/**
 * How long the nodes of a quorum keep a lock: minimum holds, and overdue releases. Each method
 * throws if the behaviour differs.
 */
@SuppressWarnings("unused") // called by reflection
final class HoldStories extends Scene {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration MINIMUM = Duration.ofSeconds(30);

  HoldStories() {
    super(3);
  }

  /** A store without a known fence, so that the nodes' votes differ; the nodes have the scripts. */
  private DirectStore asked() {
    LeaseKey key = new LeaseKey("other", KEY.token());
    DirectStore other = DirectStore.of(this);
    acquires(other, key);
    world.await(other.store().renew(List.of(new RenewRequest(key, LEASE))).get(0));
    world.await(other.store().keep(key, LEASE));
    run(100);
    return DirectStore.of(this);
  }

  private void acquires(DirectStore asked, LeaseKey key) {
    Duration ttl = Quorum.engineTtl(MINIMUM);
    AcquireRequest request = new AcquireRequest(key, ttl, IfHeld.REFUSE).withAtLeast(MINIMUM);
    AcquireResult result = world.await(asked.store().acquire(request));
    check(result instanceof AcquireResult.Granted, "not granted: " + result);
  }

  private long left(int node) {
    return (Long) at(node, "PTTL", "lh:{a}");
  }

  /** The grant takes as long as two slow rounds: the votes and the write-back. */
  void minimumHoldStartsAtTheGrant() {
    DirectStore asked = asked();
    plan = call -> Fate.after(WAY, Duration.ofMillis(480));
    long raised = sent(Operation.RAISE);
    acquires(asked, KEY);
    check(sent(Operation.RAISE) > raised, "the votes agreed: it is no test");
    for (int i = 0; i < 3; i++) {
      check(left(i) >= MINIMUM.toMillis(), "a node has it for " + left(i) + " ms");
    }
  }

  void nodeThatReacquiresKeepsTheMinimumHold() {
    DirectStore asked = asked();
    acquires(asked, KEY);
    check(world.await(asked.renew(LEASE)) == RenewResult.RENEWED, "not renewed");
    at(1, "DEL", "lh:{a}");
    world.run(Duration.ofNanos(300_000));
    check(world.await(asked.renew(LEASE)) == RenewResult.RENEWED, "not renewed");
    run(10);
    check(left(1) >= left(0), "taken again for " + left(1) + " ms, and others have " + left(0));
  }

  /** A node that releases later keeps the rest of the minimum as long as the others do. */
  void laterReleaseKeepsTheMinimumHold() {
    DirectStore asked = asked();
    acquires(asked, KEY);
    run(10);
    Duration fraction = WAY.plusNanos(300_000);
    plan = call -> isLast(call) ? cut(Duration.ofDays(1), fraction) : Fate.after(WAY);
    asked.store().keep(KEY, LEASE);
    run(20);
    plan = call -> Fate.after(WAY);
    run(500);
    check(left(2) < MINIMUM.toMillis() / 2, "not given back: it is no test");
    check(left(2) >= left(0), "kept for " + left(2) + " ms, and others for " + left(0));
  }

  /** The node gets the request late, after its connection was cut. */
  void lateGrantIsReleasedForLonger() {
    DirectStore asked = asked();
    Duration late = Duration.ofSeconds(5);
    plan =
        call ->
            !isLast(call)
                ? Fate.after(WAY)
                : cut(call.operation() == Operation.ACQUIRE ? late : Duration.ofDays(1), WAY);
    check(world.await(asked.acquire(LEASE)) instanceof AcquireResult.Granted, "not granted");
    world.await(asked.store().release(KEY));
    run(LEASE.toMillis() + 1_000);
    check(servers.get(2).holds("a"), "it has not taken it: it is no test");
    plan = call -> Fate.after(WAY);
    asked.store().inspect("a"); // the node answers again
    run(500);
    check(held("a") == 0, "its loss is not signalled, and the lock has no holder");
  }

  private static boolean isLast(SimCall call) {
    return call.server().equals("n2");
  }

  private static Fate cut(Duration request, Duration after) {
    return new Fate.Failed(
        List.of(request),
        after,
        new LockStoreException(LockStoreException.Kind.UNREACHABLE, "the connection was cut"));
  }
}
