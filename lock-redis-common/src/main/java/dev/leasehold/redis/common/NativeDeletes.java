package dev.leasehold.redis.common;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which releases of a store are the server's {@linkplain CompareAndDelete own compare-and-delete}.
 * The server is asked on the store's first use, by {@code COMMAND INFO}, and one without it again
 * after an hour, since it may have been upgraded. Scripts are used until the server answers, on one
 * without the command, and for a user without permission for {@code COMMAND INFO} or the command.
 *
 * <p>A native release wakes no waiter. So it is only used for leases that waiters mark (marks.lua),
 * and on a marked one it deletes nothing: then the script releases it, in a second round trip. To
 * save that trip, names whose last release met waiters are released by the script at once.
 * Thread-safe.
 */
public final class NativeDeletes {
  /** The end of a token that waiters may mark. In no secret, and at the end of no store's id. */
  private static final String MAY_MARK = ".";

  /** The end of a value that a waiter has marked. */
  private static final String MARKED = MAY_MARK + '!';

  /** Above this limit some names are forgotten, and cost the second round trip again. */
  private static final int MOST_NAMES = 10_000;

  private static final CompareAndDelete[] COMMANDS = CompareAndDelete.values();

  /** For each command the reply has its description, or null if the server has no such command. */
  private static final List<byte[]> QUESTION =
      Stream.concat(Stream.of("INFO"), Stream.of(COMMANDS).map(Enum::name))
          .map(Arguments::ascii)
          .toList();

  private static final Duration ASKED_AGAIN = Duration.ofHours(1);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final RedisDriver redis;
  private final Set<String> contended = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile Ticker ticker = Ticker.system();
  private volatile @Nullable CompareAndDelete known;

  /** When to ask at the earliest, by the ticker; null if at once. */
  private volatile @Nullable Long notBefore;

  /** Nothing is known yet. */
  public NativeDeletes(RedisDriver redis) {
    this.redis = redis;
  }

  /** Sets the store's clock, before the first call. */
  public void start(Ticker clock) {
    ticker = clock;
  }

  /** What the server has, as far as known. */
  public @Nullable CompareAndDelete known() {
    return known;
  }

  /**
   * Asks the server, if it has not been asked lately. Does not wait.
   *
   * @param key of the lock that is about to be acquired
   */
  public void ask(String name, byte[] key) {
    if (known != null || asking.get()) {
      return;
    }
    Long earliest = notBefore;
    if ((earliest == null || ticker.nanos() - earliest >= 0) && asking.compareAndSet(false, true)) {
      question(name, key)
          .whenComplete(
              (found, failure) -> {
                answered(failure == null ? found : List.of(), failure);
                asking.set(false);
              });
    }
  }

  /** The acquisition that asks goes on even if an executor takes no more calls. */
  private CompletionStage<List<?>> question(String name, byte[] key) {
    try {
      return redis.commandInfo(name, key, QUESTION);
    } catch (RuntimeException notSent) {
      return CompletableFuture.failedFuture(notSent);
    }
  }

  private void answered(List<?> found, @Nullable Throwable failure) {
    for (int i = 0; i < found.size() && i < COMMANDS.length; i++) {
      if (found.get(i) instanceof List<?> about && !about.isEmpty()) {
        known = COMMANDS[i];
        return;
      }
    }
    boolean told = failure == null || isRefusal(failure);
    notBefore = ticker.nanos() + (told ? ASKED_AGAIN : AFTER_FAILURE).toNanos();
  }

  private static boolean isRefusal(Throwable failure) {
    return failure instanceof LockStoreException e && e.kind() == LockStoreException.Kind.REFUSED;
  }

  /** The server does not have it after all: another one has taken its place. */
  public void lacking() {
    notBefore = ticker.nanos() + ASKED_AGAIN.toNanos();
    known = null;
  }

  /** The key for a new lease, which waiters may mark if its release can be native. */
  LeaseKey markable(LeaseKey fresh) {
    return known == null || isMarkable(fresh.token())
        ? fresh
        : new LeaseKey(fresh.name(), fresh.token() + MAY_MARK);
  }

  static boolean isMarkable(String token) {
    return token.endsWith(MAY_MARK);
  }

  /** The token of a lock's value: without the mark of a waiter, if there is one. */
  public static String unmarked(String value) {
    return value.endsWith(MARKED) ? value.substring(0, value.length() - 1) : value;
  }

  /** The token without what makes it markable. */
  static String unmarkable(String token) {
    return isMarkable(token) ? token.substring(0, token.length() - MAY_MARK.length()) : token;
  }

  /** A release by a script, or by the native command if that will usually do. */
  ScriptRequest release(LeaseKey lease, ScriptRequest script) {
    return isMarkable(lease.token()) && !contended.contains(lease.name()) ? before(script) : script;
  }

  /** The same for a lock without waiters: a release by a script, or by the native command. */
  public ScriptRequest before(ScriptRequest script) {
    CompareAndDelete command = known;
    if (command == null) {
      return script;
    }
    List<byte[]> arguments = command.arguments(script.keys()[0], script.arguments()[0]);
    return script.after(
        new NativeCommand(command.name(), arguments, Long.valueOf(1)::equals, this));
  }

  /** {@link #release} of a markable lease has been answered. */
  void released(String name, boolean woke) {
    if (!woke) {
      contended.remove(name);
    } else if (contended.add(name) && contended.size() > MOST_NAMES) {
      contended.stream()
          .filter(other -> !other.equals(name))
          .findFirst()
          .ifPresent(contended::remove);
    }
  }
}
