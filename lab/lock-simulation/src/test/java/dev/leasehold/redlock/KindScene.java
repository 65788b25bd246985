package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.LatchScripts;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ReadWriteScripts;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.SlotScripts;
import java.time.Duration;
import java.util.List;

/** A server with a manual clock, for the stories of the kinds beyond the plain lock. */
class KindScene extends ScriptScene {
  static final LeaseKey FOUR = new LeaseKey("a", "c:4");

  /** Never reserved for others: longer than any waiter waits. */
  static final Duration FOR_MOST = Duration.ofSeconds(1_000_000_000);

  private static final Publishing HOW = Publishing.toStore("a", Publishing.COUNTS_ALL);

  final LatchScripts latches = new LatchScripts("s0", KeySpace.WHOLE);

  private static AcquireRequest request(LeaseKey key, Duration lease, IfHeld ifHeld) {
    return new AcquireRequest(key, lease, ifHeld);
  }

  /** Of a semaphore of so many permits. */
  PermitScripts permits(int wanted, int of) {
    return new PermitScripts("s0", KeySpace.WHOLE, wanted, of);
  }

  /** Of any semaphore. */
  PermitScripts permits() {
    return permits(1, 1);
  }

  ReadWriteScripts side(Side side) {
    return side(side, "");
  }

  private static ReadWriteScripts side(Side side, String beside) {
    return new ReadWriteScripts("s0", KeySpace.WHOLE, side, beside);
  }

  /** Of a semaphore on a node of a quorum. */
  SlotScripts slots(int of, Integer... slots) {
    return new SlotScripts("s0", KeySpace.WHOLE, List.of(slots), of);
  }

  void seconds(long count) {
    micros += count * SECOND;
  }

  /** The answer to a request for some of so many permits. */
  Object asks(LeaseKey key, int wanted, int of, Duration lease) {
    return send(permits(wanted, of).acquire(request(key, lease, IfHeld.REFUSE), HOW));
  }

  /** Whether they were granted. */
  boolean takes(LeaseKey key, int wanted, int of, Duration lease) {
    return (Long) asks(key, wanted, of, lease) > 0;
  }

  boolean takes(LeaseKey key, int wanted, int of) {
    return takes(key, wanted, of, LEASE);
  }

  /** Asks for permits that are not free, and waits. */
  void waits(LeaseKey key, int wanted, int of) {
    long reply = number(permits(wanted, of).acquire(request(key, LEASE, IfHeld.ENQUEUE), HOW));
    check(reply < 0, key + " need not wait");
    micros += 1000;
  }

  /** Asks as a waiter that may be in line and goes on waiting. */
  long asksAgain(LeaseKey key, int wanted, int of) {
    AcquireRequest request = new AcquireRequest(key, LEASE, IfHeld.ENQUEUE).repeated();
    return number(permits(wanted, of).acquire(request, HOW));
  }

  long gives(LeaseKey key, int wanted) {
    return number(permits(wanted, wanted).release(key, HOW));
  }

  /** Releases all but that many permits. */
  long shrinks(LeaseKey key, int keep) {
    return number(permits().shrink(key, keep, HOW));
  }

  /** Its permits expire without waking a waiter. */
  void dies(LeaseKey key, int wanted) {
    for (int i = 1; i <= wanted; i++) {
      server.call("ZREM", LOCK + ":permits", i + ":" + key.token());
    }
  }

  long leaves(LeaseKey key, int wanted) {
    return number(permits(wanted, wanted).leave(key, HOW));
  }

  long resizes(int from, int to) {
    return number(permits().resize("a", from, to, HOW));
  }

  /** The number of permits held, or reserved for a woken waiter. */
  long held() {
    return (Long) ((List<?>) send(permits().count("a"))).get(1);
  }

  void renews(LeaseKey key, Duration lease, long expected) {
    Object reply = send(permits().renew(List.of(new RenewRequest(key, lease))));
    check(reply.equals(List.of(expected)), "renewed: " + reply);
  }

  /** The TTL of a key that accompanies the lock's, in ms. */
  long leftOf(String beside) {
    return (Long) server.call("PTTL", LOCK + beside);
  }

  /** The fence, or a value not above 0 if refused. */
  long enters(LeaseKey key, Side side, Duration lease, String beside) {
    return number(side(side, beside).acquire(request(key, lease, IfHeld.REFUSE), HOW));
  }

  long reads(LeaseKey key) {
    return enters(key, Side.READ, LEASE, "");
  }

  long writes(LeaseKey key) {
    return enters(key, Side.WRITE, LEASE, "");
  }

  /** Enters the write side with that many numbers reserved after the returned fence. */
  long writes(LeaseKey key, int numbers) {
    AcquireRequest request = new AcquireRequest(key, LEASE, IfHeld.REFUSE).withHandOvers(numbers);
    List<?> run = (List<?>) send(side(Side.WRITE).acquire(request, HOW));
    check(run.get(1).equals((long) numbers), "not the numbers that it asks for: " + run);
    return (Long) run.get(0);
  }

  /** Asks for a side of a node as a client that has most of the other nodes. */
  long hasMostNodes(LeaseKey key, Side side) {
    return number(
        side(side)
            .acquire(
                new AcquireRequest(key, LEASE, IfHeld.REFUSE).repeated().withWaited(FOR_MOST),
                HOW));
  }

  /** Asks as a waiter that may be in line. */
  long asksAgain(LeaseKey key, Side side, String beside, IfHeld ifHeld) {
    AcquireRequest request = new AcquireRequest(key, LEASE, ifHeld).repeated();
    return number(side(side, beside).acquire(request, HOW));
  }

  /** Asks for a side that is not free, and waits. */
  void waits(LeaseKey key, Side side) {
    AcquireRequest request = request(key, LEASE, IfHeld.ENQUEUE);
    check(number(side(side).acquire(request, HOW)) < 0, key + " need not wait");
    micros += 1000;
  }

  /** Asks a node of a quorum, as a client that has waited for that long, in microseconds. */
  void waitsOnANode(LeaseKey key, long proposal, long waited) {
    Duration time = Duration.ofNanos(waited * 1000);
    AcquireRequest request =
        new AcquireRequest(key, LEASE, IfHeld.ENQUEUE).repeated().withWaited(time);
    check(
        (Long) guarded(side(Side.WRITE).vote(request, HOW, proposal), true) < 0,
        key + " need not wait");
  }

  private Object guarded(ScriptRequest vote, boolean side) {
    Script script = side ? Script.GUARDED_READ_WRITE_ACQUIRE : Script.GUARDED_SLOTS_ACQUIRE;
    return send(voter(Duration.ofMillis(1)).guard(vote, script, "run1"));
  }

  long leaves(LeaseKey key, Side side) {
    return number(side(side).leave(key, HOW));
  }

  long gives(LeaseKey key, Side side) {
    return number(side(side).release(key, HOW));
  }

  /** Releases a writer that has unused numbers. */
  void gives(LeaseKey key, long used, long last) {
    number(side(Side.WRITE).release(key, new FenceRun(used, last), HOW));
  }

  boolean opens(String round, int count) {
    return LatchScripts.done(
        number(latches.open(new LeaseKey("a", round), count, Duration.ofMinutes(1))));
  }

  boolean counts(String token) {
    return LatchScripts.done(number(latches.countDown(new LeaseKey("a", token), HOW)));
  }

  /** The number of count-downs missing. */
  long missing() {
    return (Long) look(IfHeld.REFUSE).get(1);
  }

  List<?> look(IfHeld ifClosed) {
    return (List<?>) send(latches.look(FOUR, ifClosed));
  }

  /** Lets the node vote at once. */
  void votes() {
    server.call("HSET", "lh:node", "run", "run1", "since", "0", "longest", "0");
  }

  /** Asks a node of a quorum for slots; returns a fence, or a list if refused. */
  Object votes(LeaseKey key, int of, Integer... wanted) {
    return votes(request(key, LEASE, IfHeld.REFUSE), of, 0, wanted);
  }

  Object votes(AcquireRequest request, int of, long proposal, Integer... wanted) {
    return guarded(slots(of, wanted).vote(request, HOW, proposal), false);
  }

  long givesSlots(LeaseKey key, long used, long last) {
    return number(slots(1).release(key, new FenceRun(used, last), HOW));
  }

  long givesSlots(LeaseKey key) {
    return number(slots(1).release(key, HOW));
  }
}
