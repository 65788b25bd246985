package dev.leasehold.simulation;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.LatchScripts;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ReadWriteScripts;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.SlotScripts;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Random calls of the scripts of semaphores (on one server and on a quorum's), read/write locks and
 * latches, with arguments from the production code, for a few tokens; interspersed with corruptions
 * of their data. The first of two stores is subscribed.
 */
final class RandomKinds {
  private static final String NAME = "k";

  private final RandomGenerator random;
  private final String run;
  private final List<LatchScripts> latches =
      List.of(new LatchScripts("s0", KeySpace.WHOLE), new LatchScripts("s1", KeySpace.WHOLE));

  RandomKinds(RandomGenerator random, String run) {
    this.random = random;
    this.run = run;
  }

  /** Corruptions that a kind itself never causes, or the effects of time that no test waits for. */
  List<String> disturbance() {
    String keys = "lh:{" + NAME + "}";
    return switch (random.nextInt(18)) {
      case 13, 14 -> List.of("DEL", keys + ":slots", keys + ":slots:of");
      case 15 -> List.of("ZADD", keys + ":slots", "5", "1:c:0", "5", "1:c:1");
      case 16 -> List.of("HSET", keys + ":slots:of", "f0", "nonsense");
      case 0 -> List.of("DEL", keys + ":permits:number");
      case 1 -> List.of("SET", keys + ":permits:number", "2");
      case 2 -> List.of("RPUSH", keys + ":permits", "no permits");
      case 3, 4, 5 -> List.of("DEL", keys + ":permits", keys + ":readers", keys + ":writer");
      case 6 -> List.of("ZADD", keys + ":permits", "5", "1:dead", "5", "2:dead");
      case 7 -> List.of("ZADD", keys + ":readers", "5", "1:dead");
      case 8 -> List.of("HSET", keys + ":rw:fences", "wfence", "nonsense");
      case 9, 10 -> List.of("DEL", keys + ":rw:fences");
      case 11 -> List.of("ZADD", keys + ":latch:wait", "5", "s0:gone");
      case 12 -> List.of("PEXPIRE", keys + ":latch", "149000"); // expired, and remembered
      default -> List.of("DEL", keys + ":latch");
    };
  }

  ScriptRequest next() {
    LeaseKey key = new LeaseKey(NAME, "c:" + random.nextInt(4));
    LeaseKey waiter = random.nextInt(5) == 0 ? new LeaseKey(NAME, "c:" + random.nextInt(4)) : key;
    Duration ttl = Duration.ofMillis(random.nextInt(10) == 0 ? 3 : random.nextInt(60_000, 90_000));
    IfHeld ifHeld = random.nextBoolean() ? IfHeld.ENQUEUE : IfHeld.REFUSE;
    AcquireRequest first = new AcquireRequest(key, ttl, ifHeld).withWaiter(waiter);
    AcquireRequest acquire =
        (random.nextBoolean() ? first.repeated() : first)
            .withWaited(
                random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(random.nextInt(500)))
            .withHandOvers(random.nextBoolean() ? 0 : random.nextInt(1_500_000));
    Publishing how =
        Publishing.toStore(
            NAME, random.nextInt(8) == 0 ? Publishing.COUNTS_ONE_NODE : Publishing.COUNTS_ALL);
    return switch (random.nextInt(7)) {
      case 0, 1 -> ofPermits(acquire, how);
      case 2, 3 -> ofSides(acquire, how);
      case 4, 5 -> ofSlots(acquire, how);
      default -> ofLatches(key, how);
    };
  }

  private List<RenewRequest> batch(AcquireRequest of) {
    return List.of(
        new RenewRequest(of.key(), of.ttl()),
        new RenewRequest(new LeaseKey("l", of.key().token()), of.ttl()));
  }

  private ScriptRequest ofPermits(AcquireRequest acquire, Publishing how) {
    String store = "s" + random.nextInt(2);
    LeaseKey key = acquire.key();
    int wanted = 1 + random.nextInt(3);
    PermitScripts scripts = permits(store, wanted, 4);
    return switch (random.nextInt(13)) {
      case 0, 1, 2, 3, 4 ->
          permits(store, wanted, random.nextInt(9) == 0 ? 3 : 4).acquire(acquire, how);
      case 5, 6, 7 -> scripts.release(key, how);
      case 8 -> scripts.leave(acquire.waiter(), how);
      case 9 -> scripts.renew(batch(acquire));
      case 10 -> scripts.count(NAME);
      case 11 -> scripts.shrink(key, wanted, how);
      default -> scripts.resize(NAME, 3 + random.nextInt(2), 3 + random.nextInt(2), how);
    };
  }

  private ScriptRequest ofSlots(AcquireRequest acquire, Publishing how) {
    String store = "s" + random.nextInt(2);
    SlotScripts scripts = new SlotScripts(store, KeySpace.WHOLE, List.of(0), 4);
    LeaseKey key = acquire.key();
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3, 4 ->
          guarded(
              new SlotScripts(
                      store,
                      KeySpace.WHOLE,
                      random.ints(0, 4).distinct().limit(1 + random.nextInt(2)).boxed().toList(),
                      random.nextInt(9) == 0 ? 3 : 4)
                  .vote(acquire, how, proposal()),
              Script.GUARDED_SLOTS_ACQUIRE);
      case 5, 6 -> scripts.release(key, how);
      case 7 -> scripts.release(key, run(), how);
      case 8 ->
          new SlotScripts(store, KeySpace.WHOLE, Collections.nCopies(1 + random.nextInt(2), 0), 4)
              .leave(acquire.waiter(), how);
      case 9 -> scripts.renew(batch(acquire));
      case 10 -> scripts.count(NAME);
      default -> scripts.raise(key, proposal(), random.nextInt(2));
    };
  }

  private static PermitScripts permits(String store, int wanted, int of) {
    return new PermitScripts(store, KeySpace.WHOLE, wanted, of);
  }

  private long proposal() {
    long now = System.currentTimeMillis() * 1000;
    return List.of(0L, 17L, now + 500_000, now + 700_000, 9007199254740000L).get(random.nextInt(5));
  }

  private static FenceRun run() {
    long now = System.currentTimeMillis() * 1000;
    return new FenceRun(now, now + 5);
  }

  private ScriptRequest guarded(ScriptRequest vote, Script guarded) {
    String known =
        List.of("another", run, run, NodeVoter.ASK, NodeVoter.ASK).get(random.nextInt(5));
    NodeVoter voter = new NodeVoter(Duration.ofMillis(1), KeySpace.WHOLE);
    return voter.guard(vote, guarded, known);
  }

  private ScriptRequest ofSides(AcquireRequest acquire, Publishing how) {
    String store = "s" + random.nextInt(2);
    LeaseKey key = acquire.key();
    Side side = random.nextInt(3) == 0 ? Side.WRITE : Side.READ;
    String beside = random.nextInt(3) == 0 ? "c:" + random.nextInt(4) : "";
    ReadWriteScripts scripts = new ReadWriteScripts(store, KeySpace.WHOLE, side, beside);
    return switch (random.nextInt(14)) {
      case 0, 1, 2, 3 -> scripts.acquire(acquire, how);
      case 4, 5 ->
          guarded(
              new ReadWriteScripts("s0", KeySpace.WHOLE, side, beside)
                  .vote(acquire, how, proposal()),
              Script.GUARDED_READ_WRITE_ACQUIRE);
      case 6, 7, 9 -> scripts.release(key, how);
      case 8 -> scripts.release(key, run(), how);
      case 10 -> scripts.leave(acquire.waiter(), how);
      case 11 -> scripts.renew(batch(acquire));
      case 12 -> scripts.inspection(NAME).orElseThrow();
      default ->
          scripts.raise(
              key, random.nextInt(9) == 0 ? 9007199254740990L : proposal(), random.nextInt(2));
    };
  }

  private ScriptRequest ofLatches(LeaseKey key, Publishing how) {
    LatchScripts scripts = latches.get(random.nextInt(2));
    return switch (random.nextInt(6)) {
      case 0 ->
          scripts.open(
              key,
              1 + random.nextInt(3),
              Duration.ofMillis(random.nextInt(4) == 0 ? 3 : random.nextInt(60_000, 90_000)));
      case 1, 2 ->
          scripts.countDown(new LeaseKey(NAME, Integer.toString(random.nextInt(100))), how);
      case 3, 4 -> scripts.look(key, random.nextBoolean() ? IfHeld.ENQUEUE : IfHeld.REFUSE);
      default -> scripts.leave(key);
    };
  }
}
