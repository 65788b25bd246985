package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.LockKeys;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.set.Eval;
import dev.leasehold.simulation.ModelServer;
import dev.leasehold.simulation.ReplyError;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A server with a manual clock, and the calls that stories of scripts make. */
class ScriptScene {
  static final long SECOND = 1_000_000;
  static final Duration LEASE = Duration.ofSeconds(10);
  static final LeaseKey ONE = new LeaseKey("a", "c:1");
  static final LeaseKey TWO = new LeaseKey("a", "c:2");
  static final LeaseKey THREE = new LeaseKey("a", "c:3");
  static final String LOCK = "lh:{a}";

  /** Not a whole second or millisecond, and odd: scripts compute with all digits. */
  long micros = 1_700_000_000 * SECOND + 987_653;

  final ModelServer server = new ModelServer(() -> micros, "run1", script -> script);
  final FencedScripts store = new FencedScripts(Script.ACQUIRE, "s0");
  final FencedScripts other = new FencedScripts(Script.SETNX_ACQUIRE, "s1");

  /** A client that sends no list of nodes, with leases up to this length. */
  static NodeVoter voter(Duration longest) {
    return new NodeVoter(longest, KeySpace.WHOLE);
  }

  Object send(ScriptRequest request) {
    return server.call(Eval.words(request));
  }

  long number(ScriptRequest request) {
    return (Long) send(request);
  }

  long acquire(LeaseKey key) {
    return acquire(key, LEASE, IfHeld.REFUSE);
  }

  long acquire(LeaseKey key, Duration lease, IfHeld ifHeld) {
    return number(store.acquire(new AcquireRequest(key, lease, ifHeld)));
  }

  /** Asks for the lock, and stands in line for it. */
  Object waits(LeaseKey key) {
    return send(store.acquire(new AcquireRequest(key, LEASE, IfHeld.ENQUEUE)));
  }

  long release(LeaseKey key) {
    return number(store.release(key, Publishing.toStore(key.name(), Publishing.COUNTS_ALL)));
  }

  /**
   * Acquires a lock with that many numbers reserved after the fence; returns the fence and the
   * number granted.
   */
  List<?> acquire(LeaseKey key, int numbers, long proposal) {
    AcquireRequest request = new AcquireRequest(key, LEASE, IfHeld.REFUSE).withHandOvers(numbers);
    return (List<?>) send(store.vote(request, proposal));
  }

  void release(LeaseKey key, long used, long last) {
    Publishing how = Publishing.toStore(key.name(), Publishing.COUNTS_ALL);
    number(store.release(key, new FenceRun(used, last), how));
  }

  static ScriptRequest raise(LeaseKey key, long fence) {
    return FencedScripts.raise(key, fence, 0, KeySpace.WHOLE);
  }

  long vote(LeaseKey key, long proposal) {
    return number(store.vote(new AcquireRequest(key, LEASE, IfHeld.REFUSE), proposal));
  }

  void renew(Duration lease, LeaseKey key, long expected) {
    Object reply = send(FencedScripts.renew(List.of(new RenewRequest(key, lease)), LockKeys::lock));
    check(reply.equals(List.of(expected)), "renewed: " + reply);
  }

  /** The TTL of a key in ms. */
  Object left(String key) {
    return server.call("PTTL", key);
  }

  Object get(String key) {
    return server.call("GET", key);
  }

  boolean isThere(String key) {
    return server.call("EXISTS", key).equals(1L);
  }

  /** The text of the error that it returns. */
  static String refused(Runnable question) {
    try {
      question.run();
    } catch (ReplyError error) {
      return error.words();
    }
    throw new AssertionError("it was not refused");
  }

  long left() {
    return (Long) server.call("PTTL", LOCK);
  }

  void listen(String storeId) {
    listen(storeId, message -> {});
  }

  void listen(String storeId, Consumer<String> told) {
    server.subscribe(
        new String(Publishing.channelOf(storeId), US_ASCII),
        (channel, message) -> told.accept(message));
  }
}
