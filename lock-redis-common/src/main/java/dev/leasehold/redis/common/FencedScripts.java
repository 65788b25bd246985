package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The scheme with fences and wake-ups, whatever the client: which script each operation is, and
 * what it is told. One for each store; thread-safe.
 */
public final class FencedScripts {
  private static final byte[] STAY_OUT = {'0'};
  private static final byte[] JOIN = {'1'};
  private static final byte[] LEAVE = {'2'};
  private static final byte[] KEEP_PLACE = {'3'};

  /** Above the longest pause between two questions of a waiter, each of which renews it. */
  private static final byte[] LINE_TTL = ascii("150000");

  private static final int NANOS_PER_MICRO = 1000;

  /** Keeps one script around half a millisecond, so that it delays no other command much. */
  private static final int MOST_AT_ONCE = 250;

  /**
   * For how long the server keeps a lock for the waiter that it woke: on a busy machine the way to
   * the lock may take a tenth of that. A waiter that is paused costs the others so much, once, and
   * less than the longest pause between two questions.
   */
  static final byte[] KEPT = ascii("500");

  private final Script acquire;
  private final String storeId;
  private final KeySpace space;

  /** Tokens that may stand in the server's line, so that others need not be looked for there. */
  private final Set<String> inLine = ConcurrentHashMap.newKeySet();

  /**
   * For one store.
   *
   * @param acquire {@link Script#ACQUIRE} or {@link Script#SETNX_ACQUIRE}
   * @param storeId begins this store's waiters, and ends its channels; without a colon
   */
  public FencedScripts(Script acquire, String storeId) {
    this(acquire, storeId, KeySpace.WHOLE);
  }

  /**
   * For one store, on the keys of a tenant.
   *
   * @param acquire {@link Script#ACQUIRE} or {@link Script#SETNX_ACQUIRE}
   * @param storeId begins this store's waiters, and ends its channels; without a colon
   */
  public FencedScripts(Script acquire, String storeId, KeySpace space) {
    this.acquire = acquire;
    this.storeId = storeId;
    this.space = space;
  }

  /**
   * For a store that is a node of a quorum. A waiter has the same place in the lines of all nodes,
   * so that they keep the lock for the same one.
   *
   * @param storeId as with the others
   */
  public static FencedScripts ofNode(String storeId, KeySpace space) {
    return new FencedScripts(Script.GUARDED_ACQUIRE, storeId, space);
  }

  /**
   * The id of a store whose waiters are served in the order in which they came: whoever passes a
   * lock on to one of these tells it by its token, since each listens for itself.
   */
  public static String inOrder(String storeId) {
    return storeId + ".f";
  }

  /** What the scheme promises of plain locks. The set is the caller's. */
  public static Set<Guarantee> guarantees() {
    Set<Guarantee> all = guaranteesOfKinds();
    all.addAll(EnumSet.of(Guarantee.FENCING, Guarantee.MINIMUM_HOLD));
    return all;
  }

  /** What it promises of every kind of lock. The set is the caller's. */
  public static Set<Guarantee> guaranteesOfKinds() {
    return EnumSet.of(
        Guarantee.OWNED,
        Guarantee.SERVER_EXPIRY,
        Guarantee.CLOCK_INDEPENDENT,
        Guarantee.WAKE_UP,
        Guarantee.WAKE_ONE,
        Guarantee.TURNS);
  }

  /**
   * What a store with all kinds promises. The set is the caller's.
   *
   * @param together whether one script may take any names
   */
  public static Set<Guarantee> guaranteesOfStore(boolean together) {
    Set<Guarantee> all = guarantees();
    all.addAll(
        EnumSet.of(
            Guarantee.SHARED,
            Guarantee.WRITERS_TURN,
            Guarantee.PERMITS,
            Guarantee.LATCH,
            Guarantee.LATCH_OPENING));
    if (together) {
      all.add(Guarantee.TOGETHER);
    }
    return all;
  }

  /**
   * What it promises where locks are taken by {@link #acquireInOrder}. Several at once is not among
   * it: who asks for many does not stand in their lines. The set is the caller's.
   */
  public static Set<Guarantee> guaranteesInOrder() {
    Set<Guarantee> all = guaranteesOfStore(false);
    all.add(Guarantee.FAIR);
    return all;
  }

  /** Takes a lock. */
  public ScriptRequest acquire(AcquireRequest request) {
    LockKeys keys = space.keys(request.key().name());
    byte[] token = ascii(request.key().token());
    byte[] ttl = ascii(Long.toString(request.ttl().toMillis()));
    boolean waits = request.ifHeld() == IfHeld.ENQUEUE;
    boolean perhapsWaiter =
        waits
            ? !inLine.add(request.waiter().token())
            : !inLine.isEmpty() && inLine.contains(request.waiter().token());
    byte[][] arguments;
    byte[] numbers = ascii(Integer.toString(request.handOvers()));
    if (waits || perhapsWaiter) {
      byte[] line = waits ? perhapsWaiter ? KEEP_PLACE : JOIN : LEAVE;
      byte[] waiter = waiter(request.waiter());
      arguments = new byte[][] {token, ttl, line, numbers, waiter, LINE_TTL, waited(request)};
    } else if (request.handOvers() > 0) {
      arguments = new byte[][] {token, ttl, STAY_OUT, numbers};
    } else {
      arguments = new byte[][] {token, ttl, STAY_OUT};
    }
    byte[][] all =
        acquire == Script.SETNX_ACQUIRE
            ? new byte[][] {keys.lock(), keys.fence(), keys.waiters(), space.gone(request.key())}
            : new byte[][] {keys.lock(), keys.fence(), keys.waiters()};
    return new ScriptRequest(acquire, all, arguments);
  }

  /** Takes a lock on a node of a quorum, proposing this fence. */
  public ScriptRequest vote(AcquireRequest request, long proposal) {
    ScriptRequest plain = acquire(request);
    return new ScriptRequest(plain.script(), plain.keys(), all(plain, request, proposal, 8));
  }

  /** Takes a lock unless somebody came before: then it is passed on to the first who did. */
  public ScriptRequest acquireInOrder(AcquireRequest request, Publishing how) {
    return voteInOrder(request, 0, how);
  }

  /** The same on a node of a quorum, proposing this fence. */
  public ScriptRequest voteInOrder(AcquireRequest request, long proposal, Publishing how) {
    ScriptRequest plain = acquire(request);
    byte[][] all = all(plain, request, proposal, 13);
    all[8] = how.command();
    all[9] = how.prefix();
    all[10] = how.message();
    all[11] = how.counts();
    all[12] = KEPT;
    Script script =
        switch (acquire) {
          case SETNX_ACQUIRE -> Script.SETNX_FAIR_ACQUIRE;
          case GUARDED_ACQUIRE -> Script.GUARDED_FAIR_ACQUIRE;
          default -> Script.FAIR_ACQUIRE;
        };
    return new ScriptRequest(script, plain.keys(), all);
  }

  /** With those that may be missing, and room for more. */
  private byte[][] all(ScriptRequest plain, AcquireRequest request, long proposal, int length) {
    byte[][] all = Arrays.copyOf(plain.arguments(), length);
    all[3] = ascii(Integer.toString(request.handOvers()));
    all[4] = waiter(request.waiter());
    all[5] = LINE_TTL;
    all[6] = waited(request);
    all[7] = ascii(Long.toString(proposal));
    return all;
  }

  /** Makes the fence of a lock, and its run, end no sooner than this, if the token has it. */
  public static ScriptRequest raise(LeaseKey lease, long fence, int handOvers, KeySpace space) {
    LockKeys keys = space.keys(lease.name());
    return new ScriptRequest(
        Script.RAISE,
        new byte[][] {keys.lock(), keys.fence()},
        new byte[][] {
          ascii(lease.token()), ascii(Long.toString(fence)), ascii(Integer.toString(handOvers))
        });
  }

  /** What the answer to {@link #acquire} means. */
  public AcquireResult acquired(AcquireRequest request, Object reply) {
    AcquireResult result = Replies.acquire(reply, request.ttl());
    if (result instanceof Granted && !inLine.isEmpty()) {
      inLine.remove(request.waiter().token());
    }
    return result;
  }

  /** Frees a lock, or passes it on; {@link Replies#release} tells what the answer means. */
  public ScriptRequest release(LeaseKey lease, Publishing how) {
    return publishing(Script.RELEASE, lease, ascii(lease.token()), how);
  }

  /** As {@link #release}, and wakes nobody. */
  public ScriptRequest withdraw(LeaseKey lease) {
    LockKeys keys = space.keys(lease.name());
    return new ScriptRequest(
        Script.WITHDRAW, new byte[][] {keys.lock()}, new byte[][] {ascii(lease.token())});
  }

  /** As {@link #release}, of a lease that has fencing numbers left. */
  public ScriptRequest release(LeaseKey lease, FenceRun run, Publishing how) {
    ScriptRequest plain = release(lease, how);
    byte[][] keys = Arrays.copyOf(plain.keys(), 3);
    keys[2] = space.keys(lease.name()).fence();
    byte[][] arguments = Arrays.copyOf(plain.arguments(), plain.arguments().length + 2);
    arguments[arguments.length - 2] = ascii(Long.toString(run.used()));
    arguments[arguments.length - 1] = ascii(Long.toString(run.last()));
    return new ScriptRequest(Script.RELEASE_RUN, keys, arguments);
  }

  /**
   * As {@link #release}, of a token whose {@link Script#SETNX_ACQUIRE} may still be on its way by
   * another connection: when it comes, it does nothing.
   */
  public ScriptRequest releaseForGood(LeaseKey lease, Publishing how) {
    ScriptRequest plain = release(lease, how);
    byte[][] keys = Arrays.copyOf(plain.keys(), 3);
    keys[2] = space.gone(lease);
    return new ScriptRequest(Script.LAST_RELEASE, keys, plain.arguments());
  }

  /**
   * Frees a lock and keeps it taken for a while; {@link Replies#keep} tells what the answer means.
   *
   * @param key the lock's key
   */
  public static ScriptRequest keep(byte[] key, LeaseKey lease, Duration rest) {
    return new ScriptRequest(
        Script.KEEP,
        new byte[][] {key},
        new byte[][] {ascii(lease.token()), ascii(Long.toString(rest.toMillis()))});
  }

  /** As {@link #keep}, of a token whose {@link Script#SETNX_ACQUIRE} may still be on its way. */
  public ScriptRequest keepForGood(LeaseKey lease, Duration rest) {
    LockKeys keys = space.keys(lease.name());
    return new ScriptRequest(
        Script.LAST_KEEP,
        new byte[][] {keys.lock(), keys.waiters(), space.gone(lease)},
        keep(keys.lock(), lease, rest).arguments());
  }

  /** Takes a waiter out of the line; the answer means nothing. */
  public ScriptRequest leave(LeaseKey waiter, Publishing how) {
    inLine.remove(waiter.token());
    return publishing(Script.LEAVE, waiter, waiter(waiter), how);
  }

  /** Looks at a lock; {@link Replies#inspect} tells what the answer means. */
  public ScriptRequest inspect(String name) {
    LockKeys keys = space.keys(name);
    return new ScriptRequest(
        Script.INSPECT, new byte[][] {keys.lock(), keys.fence()}, new byte[0][]);
  }

  /** How many leases {@link #renew} should be given at most. */
  public static int mostAtOnce() {
    return MOST_AT_ONCE;
  }

  /**
   * Renews leases; {@link Replies#renew} tells what each of the answers means.
   *
   * @param keyOf the key of a name
   */
  public static ScriptRequest renew(List<RenewRequest> batch, Function<String, byte[]> keyOf) {
    byte[][] keys = new byte[batch.size()][];
    byte[][] arguments = new byte[2 * batch.size()][];
    for (int i = 0; i < batch.size(); i++) {
      RenewRequest request = batch.get(i);
      keys[i] = keyOf.apply(request.key().name());
      arguments[2 * i] = ascii(request.key().token());
      arguments[2 * i + 1] = ascii(Long.toString(request.ttl().toMillis()));
    }
    return new ScriptRequest(Script.RENEW, keys, arguments);
  }

  /** What a message calls the renewal of a batch, before the name of its first lock. */
  public static String renewing(List<RenewRequest> batch) {
    return batch.size() == 1 ? "renew" : "renew, with " + (batch.size() - 1) + " others,";
  }

  private ScriptRequest publishing(Script script, LeaseKey key, byte[] who, Publishing how) {
    LockKeys keys = space.keys(key.name());
    return new ScriptRequest(
        script,
        new byte[][] {keys.lock(), keys.waiters()},
        new byte[][] {who, how.command(), how.prefix(), how.message(), how.counts(), KEPT});
  }

  private byte[] waiter(LeaseKey key) {
    return ascii(storeId + ':' + key.token());
  }

  private static byte[] waited(AcquireRequest request) {
    return ascii(Long.toString(request.waited().toNanos() / NANOS_PER_MICRO));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
