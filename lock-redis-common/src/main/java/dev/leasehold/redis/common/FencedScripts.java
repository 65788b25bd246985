package dev.leasehold.redis.common;

import static dev.leasehold.redis.common.Arguments.ascii;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * The scheme with fences and wake-ups, independent of the client: each operation's script and its
 * arguments. One instance for each store; thread-safe.
 */
public final class FencedScripts implements KindScripts {
  private static final String FAIR = ".f";
  private static final byte[] STAY_OUT = {'0'};
  private static final byte[] JOIN = {'1'};
  private static final byte[] LEAVE = {'2'};
  private static final byte[] KEEP_PLACE = {'3'};

  /**
   * Longer than the longest pause between two requests of a waiter, each of which renews its place.
   */
  private static final byte[] LINE_TTL = ascii(LeaseStore.LONGEST_PLACE.toMillis());

  private static final int NANOS_PER_MICRO = 1000;

  /** Keeps one script to about half a millisecond, so that it hardly delays other commands. */
  private static final int MOST_AT_ONCE = 250;

  /** The number of arguments that every acquisition may have. */
  private static final int ACQUIRING = 7;

  /** The further arguments of a fair lock: the proposal, how to wake, and waiters that left. */
  private static final int IN_ORDER = 1 + Arguments.SERVING + 2;

  private final Script acquire;
  private final String storeId;
  private final KeySpace space;

  /** Tokens that may be in the server's queue; requests of others need not look there. */
  private final Set<String> inLine = ConcurrentHashMap.newKeySet();

  private final UnconfirmedLeaves leaves = new UnconfirmedLeaves();

  /**
   * For one store.
   *
   * @param acquire {@link Script#ACQUIRE} or {@link Script#SETNX_ACQUIRE}
   * @param storeId prefix of this store's waiters, and suffix of its channels; without a colon
   */
  public FencedScripts(Script acquire, String storeId) {
    this(acquire, storeId, KeySpace.WHOLE);
  }

  /**
   * For one store, on the keys of a tenant. On a node of a quorum a waiter has the same place in
   * the queues of all nodes, so that they reserve the lock for the same one.
   *
   * @param acquire {@link Script#ACQUIRE}, {@link Script#SETNX_ACQUIRE} or, on a node of a quorum,
   *     {@link Script#GUARDED_ACQUIRE}
   * @param storeId prefix of this store's waiters, and suffix of its channels; without a colon
   */
  public FencedScripts(Script acquire, String storeId, KeySpace space) {
    this.acquire = acquire;
    this.storeId = storeId;
    this.space = space;
  }

  /** Sets the store's clock, before the first call. */
  public void start(Ticker ticker) {
    leaves.by(ticker);
  }

  /** The id of a new store. */
  public static String newId(boolean fair) {
    String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    return fair ? inOrder(id) : id;
  }

  /**
   * The id of a store whose locks are fair. A wake-up for one of its waiters has the waiter's
   * token, since each listens for itself.
   */
  public static String inOrder(String storeId) {
    return storeId + FAIR;
  }

  /** Whether it has such an id. */
  boolean isInOrder() {
    return storeId.endsWith(FAIR);
  }

  /** Acquires a lock. */
  public ScriptRequest acquire(AcquireRequest request) {
    byte[] token = ascii(request.key().token());
    byte[] ttl = ascii(request.ttl().toMillis());
    byte[] line = line(request);
    if (line != STAY_OUT) {
      return asked(acquire, request, acquiring(request, line, request.waited(), 0).all());
    }
    return request.handOvers() > 0
        ? asked(acquire, request, token, ttl, line, ascii(request.handOvers()))
        : asked(acquire, request, token, ttl);
  }

  @Override
  public ScriptRequest acquire(AcquireRequest request, Publishing how) {
    if (isInOrder()) {
      return voteInOrder(request, 0, how);
    }
    return RecallScripts.isRecallable(request.key())
        ? recalling(request, request.waited(), "", how)
        : acquire(request);
  }

  /** Whether the script of an acquisition may publish, so that it needs to know how. */
  boolean publishes(AcquireRequest request) {
    return isInOrder() || RecallScripts.isRecallable(request.key());
  }

  /** Acquires a lock on a node of a quorum, proposing this fence. */
  public ScriptRequest vote(AcquireRequest request, long proposal) {
    Duration waited = waited(request, proposal);
    return asked(
        acquire, request, acquiring(request, line(request), waited, 1).add(proposal).all());
  }

  /** The same for a request whose script {@link #publishes}, in this way. */
  public ScriptRequest vote(AcquireRequest request, long proposal, Publishing how) {
    return isInOrder()
        ? voteInOrder(request, proposal, how)
        : recalling(request, waited(request, proposal), Long.toString(proposal), how);
  }

  /** Acquires a lock; its refusal recalls the holder's lease, if that can be recalled. */
  private ScriptRequest recalling(
      AcquireRequest request, Duration waited, String proposal, Publishing how) {
    return asked(
        acquire,
        request,
        acquiring(request, line(request), waited, 1 + Arguments.RECALLING)
            .add(proposal)
            .recalling(how)
            .all());
  }

  /**
   * Acquires a lock, unless a waiter arrived earlier: then the lock is passed on to the first one.
   *
   * @param proposal as on a node of a quorum; otherwise zero
   */
  public ScriptRequest voteInOrder(AcquireRequest request, long proposal, Publishing how) {
    byte[] line = line(request);
    List<String> left = leaves.of(request.key().name());
    Arguments arguments =
        acquiring(request, line, waited(request, proposal), IN_ORDER + left.size())
            .add(proposal)
            .serving(how)
            .add(request.waited().isZero() ? "0" : "1") // whether this waiter has asked before
            .add(left.size());
    left.forEach(token -> arguments.add(waiter(token)));
    Script script =
        switch (acquire) {
          case SETNX_ACQUIRE -> Script.SETNX_FAIR_ACQUIRE;
          case GUARDED_ACQUIRE -> Script.GUARDED_FAIR_ACQUIRE;
          default -> Script.FAIR_ACQUIRE;
        };
    return asked(script, request, arguments.all());
  }

  /**
   * The time waited for which the proposal minus it is the request's place in the queue of a
   * quorum's node: scripts are sent the time waited, which they subtract from the proposal.
   */
  static Duration waited(AcquireRequest request, long proposal) {
    return request.place().isPresent()
        ? Duration.of(proposal - request.place().getAsLong(), ChronoUnit.MICROS)
        : request.waited();
  }

  /**
   * Whether the request joins the queue, keeps its place or leaves; remembers waiters that join.
   */
  private byte[] line(AcquireRequest request) {
    if (request.ifHeld() == IfHeld.ENQUEUE) {
      return inLine.add(request.waiter().token()) ? JOIN : KEEP_PLACE;
    }
    return !inLine.isEmpty() && inLine.contains(request.waiter().token()) ? LEAVE : STAY_OUT;
  }

  /** The arguments that every acquisition may have, with room for more. */
  private Arguments acquiring(AcquireRequest request, byte[] line, Duration waited, int more) {
    return new Arguments(ACQUIRING + more)
        .add(request.key().token())
        .add(request.ttl().toMillis())
        .add(line)
        .add(request.handOvers())
        .add(waiter(request.waiter().token()))
        .add(LINE_TTL)
        .add(waited.toNanos() / NANOS_PER_MICRO);
  }

  private ScriptRequest asked(Script script, AcquireRequest request, byte[]... arguments) {
    LockKeys keys = space.keys(request.key().name());
    return new ScriptRequest(
        script, new byte[][] {keys.lock(), keys.fence(), keys.waiters()}, arguments);
  }

  /**
   * Raises a lock's fence, and its run of numbers, to at least this, if the token holds the lock.
   */
  public static ScriptRequest raise(LeaseKey lease, long fence, int handOvers, KeySpace space) {
    LockKeys keys = space.keys(lease.name());
    return new ScriptRequest(
        Script.RAISE,
        new byte[][] {keys.lock(), keys.fence()},
        new byte[][] {ascii(lease.token()), ascii(fence), ascii(handOvers)});
  }

  /** Parses the reply to {@link #acquire}. */
  @Override
  public AcquireResult acquired(AcquireRequest request, Object reply) {
    AcquireResult result = Replies.acquire(reply, request.ttl());
    if (result instanceof Granted && !inLine.isEmpty()) {
      inLine.remove(request.waiter().token());
    }
    return result;
  }

  /** Releases a lock or passes it on; the reply is for {@link Replies#release}. */
  @Override
  public ScriptRequest release(LeaseKey lease, Publishing how) {
    return publishing(Script.RELEASE, lease, ascii(lease.token()), how);
  }

  /** As {@link #release}, without waking a waiter. */
  public ScriptRequest withdraw(LeaseKey lease) {
    LockKeys keys = space.keys(lease.name());
    return new ScriptRequest(
        Script.WITHDRAW, new byte[][] {keys.lock()}, new byte[][] {ascii(lease.token())});
  }

  /** As {@link #release}, for a lease with unused fencing numbers. */
  @Override
  public ScriptRequest release(LeaseKey lease, FenceRun run, Publishing how) {
    LockKeys keys = space.keys(lease.name());
    return new ScriptRequest(
        Script.RELEASE_RUN,
        new byte[][] {keys.lock(), keys.waiters(), keys.fence()},
        serving(ascii(lease.token()), how, 2).add(run.used()).add(run.last()).all());
  }

  /**
   * Marks a token as released on the server, for a lock of any kind: an acquisition that arrives
   * later is refused. The reply has no meaning. To be confirmed before the release of a token whose
   * acquisition may still be in flight on another connection.
   */
  public static ScriptRequest gone(LeaseKey lease, KeySpace space) {
    return new ScriptRequest(
        Script.GONE,
        new byte[][] {
          space.gone(lease), space.gone(lease.name()), space.keys(lease.name()).fence()
        },
        new byte[0][]);
  }

  /**
   * Releases a lock and keeps it taken for a while; the reply is for {@link Replies#keep}.
   *
   * @param key the lock's key
   */
  public static ScriptRequest keep(byte[] key, LeaseKey lease, Duration rest) {
    return new ScriptRequest(
        Script.KEEP,
        new byte[][] {key},
        new byte[][] {ascii(lease.token()), ascii(rest.toMillis())});
  }

  /** Removes a waiter from the queue; call {@link #left} when a reply arrives. */
  @Override
  public ScriptRequest leave(LeaseKey waiter, Publishing how) {
    inLine.remove(waiter.token());
    leaves.begin(waiter);
    return publishing(Script.LEAVE, waiter, waiter(waiter.token()), how);
  }

  /** The reply to {@link #leave} has arrived. */
  @Override
  public void left(LeaseKey waiter) {
    leaves.confirmed(waiter);
  }

  /** Looks up a lock's holder; the reply is for {@link Replies#inspect}. */
  public ScriptRequest inspect(String name) {
    LockKeys keys = space.keys(name);
    return new ScriptRequest(
        Script.INSPECT, new byte[][] {keys.lock(), keys.fence()}, new byte[0][]);
  }

  @Override
  public Optional<ScriptRequest> inspection(String name) {
    return Optional.of(inspect(name));
  }

  @Override
  public ScriptRequest renew(List<RenewRequest> batch) {
    return renew(batch, space::lock);
  }

  /** Reads the server's clock: microseconds since 1970. */
  public static ScriptRequest time() {
    return new ScriptRequest(Script.TIME, new byte[0][], new byte[0][]);
  }

  /** The limit of leases for one call of {@link #renew}. */
  public static int mostAtOnce() {
    return MOST_AT_ONCE;
  }

  /**
   * Renews leases; each reply is for {@link Replies#renew}.
   *
   * @param keyOf the key of a name
   */
  public static ScriptRequest renew(List<RenewRequest> batch, Function<String, byte[]> keyOf) {
    byte[][] keys = new byte[batch.size()][];
    Arguments arguments = new Arguments(2 * batch.size());
    for (int i = 0; i < keys.length; i++) {
      RenewRequest request = batch.get(i);
      keys[i] = keyOf.apply(request.key().name());
      arguments.add(request.key().token()).add(request.ttl().toMillis());
    }
    return new ScriptRequest(Script.RENEW, keys, arguments.all());
  }

  /** The operation of a batch in messages, before the name of its first lock. */
  public static String renewing(List<RenewRequest> batch) {
    return withOthers("renew", batch.size());
  }

  private ScriptRequest publishing(Script script, LeaseKey key, byte[] token, Publishing how) {
    LockKeys keys = space.keys(key.name());
    return new ScriptRequest(
        script, new byte[][] {keys.lock(), keys.waiters()}, serving(token, how, 0).all());
  }

  /** The arguments of a script that passes a lock on, with room for more. */
  private static Arguments serving(byte[] token, Publishing how, int more) {
    return new Arguments(1 + Arguments.SERVING + more).add(token).serving(how);
  }

  private byte[] waiter(String token) {
    return ascii(storeId + ':' + token);
  }

  /** An operation on several leases, one of which the message names after it. */
  static String withOthers(String operation, int all) {
    return switch (all) {
      case 1 -> operation;
      case 2 -> operation + ", with 1 other,";
      default -> operation + ", with " + (all - 1) + " others,";
    };
  }
}
