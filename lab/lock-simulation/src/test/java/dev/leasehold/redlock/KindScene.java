package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.ScriptScene.LEASE;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.LatchScripts;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ReadWriteScripts;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.RunGuard;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.SlotScripts;
import java.time.Duration;
import java.util.List;

/** What the stories of the kinds beyond the plain lock ask of a server whose clock stands still. */
final class KindScene {
  static final LeaseKey FOUR = new LeaseKey("a", "c:4");
  private static final Publishing HOW = Publishing.toStore("a", Publishing.COUNTS_ALL);

  final ScriptScene s = new ScriptScene();
  final PermitScripts permits = new PermitScripts("s0", KeySpace.WHOLE);
  final ReadWriteScripts sides = new ReadWriteScripts("s0", KeySpace.WHOLE);
  final LatchScripts latches = new LatchScripts("s0", KeySpace.WHOLE);
  final SlotScripts slots = new SlotScripts("s0", KeySpace.WHOLE);

  private static AcquireRequest request(LeaseKey key, Duration lease, IfHeld ifHeld) {
    return new AcquireRequest(key, lease, ifHeld, false);
  }

  void seconds(long count) {
    s.micros += count * ScriptScene.SECOND;
  }

  /** What is answered to who asks for so many of so many permits. */
  Object asks(LeaseKey key, int wanted, int of, Duration lease) {
    return s.send(permits.acquire(request(key, lease, IfHeld.REFUSE), wanted, of, HOW));
  }

  /** Whether they were granted. */
  boolean takes(LeaseKey key, int wanted, int of, Duration lease) {
    return (Long) asks(key, wanted, of, lease) > 0;
  }

  boolean takes(LeaseKey key, int wanted, int of) {
    return takes(key, wanted, of, LEASE);
  }

  /** Asks for what it does not get, and waits. */
  void waits(LeaseKey key, int wanted, int of) {
    long reply = s.number(permits.acquire(request(key, LEASE, IfHeld.ENQUEUE), wanted, of, HOW));
    check(reply < 0, key + " need not wait");
    s.micros += 1000;
  }

  long gives(LeaseKey key, int wanted) {
    return s.number(permits.release(key, wanted, HOW));
  }

  long leaves(LeaseKey key, int wanted) {
    return s.number(permits.leave(key, wanted, HOW));
  }

  long resizes(int from, int to) {
    return s.number(permits.resize("a", from, to, HOW));
  }

  /** How many are held, or kept for one who was woken. */
  long held() {
    return (Long) ((List<?>) s.send(permits.count("a"))).get(1);
  }

  void renews(LeaseKey key, Duration lease, long expected) {
    Object reply = s.send(permits.renew(List.of(new RenewRequest(key, lease))));
    check(reply.equals(List.of(expected)), "renewed: " + reply);
  }

  /** For how long a key beside the lock's lives, in ms. */
  long left(String beside) {
    return (Long) s.server.call("PTTL", ScriptScene.LOCK + beside);
  }

  /** The fence, or what is not above 0 if it is refused. */
  long enters(LeaseKey key, Side side, Duration lease, String beside) {
    return s.number(sides.acquire(request(key, lease, IfHeld.REFUSE), side, beside, HOW));
  }

  long reads(LeaseKey key) {
    return enters(key, Side.READ, LEASE, "");
  }

  long writes(LeaseKey key) {
    return enters(key, Side.WRITE, LEASE, "");
  }

  /** Asks for a side that it does not get, and waits. */
  void waits(LeaseKey key, Side side) {
    AcquireRequest request = request(key, LEASE, IfHeld.ENQUEUE);
    check(s.number(sides.acquire(request, side, "", HOW)) < 0, key + " need not wait");
    s.micros += 1000;
  }

  long gives(LeaseKey key, Side side) {
    return s.number(sides.release(key, side, HOW));
  }

  boolean opens(String round, int count) {
    return LatchScripts.done(
        s.number(latches.open(new LeaseKey("a", round), count, Duration.ofMinutes(1))));
  }

  boolean counts(String token) {
    return LatchScripts.done(s.number(latches.countDown(new LeaseKey("a", token), HOW)));
  }

  /** How many count-downs are missing. */
  long missing() {
    return (Long) look(IfHeld.REFUSE).get(1);
  }

  List<?> look(IfHeld ifClosed) {
    return (List<?>) s.send(latches.look(FOUR, ifClosed));
  }

  /** It votes at once. */
  void votes() {
    s.server.call("HSET", "lh:node", "run", "run1", "since", "0", "longest", "0");
  }

  /** Asks a node of a quorum for slots; a fence, or a list if it is refused. */
  Object votes(LeaseKey key, int of, Integer... wanted) {
    return s.send(
        RunGuard.guard(
            slots.vote(request(key, LEASE, IfHeld.REFUSE), List.of(wanted), of, HOW, 0),
            Script.GUARDED_SLOTS_ACQUIRE,
            "run1",
            Duration.ofMillis(1)));
  }

  long givesSlots(LeaseKey key) {
    return s.number(slots.release(key, HOW));
  }
}
