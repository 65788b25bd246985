package dev.leasehold.redis.common;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LeaseKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Which releases of a store are the server's {@linkplain CompareAndDelete own compare-and-delete}.
 * The server is asked once, on the store's first use; until it answers, and on a server without,
 * scripts are used.
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

  /** Names above this limit are not remembered, and cost the second round trip. */
  private static final int MOST_NAMES = 10_000;

  private final RedisDriver redis;
  private final AtomicBoolean asked = new AtomicBoolean();
  private volatile @Nullable CompareAndDelete known;
  private final Set<String> contended = ConcurrentHashMap.newKeySet();

  /** Nothing is known yet. */
  public NativeDeletes(RedisDriver redis) {
    this.redis = redis;
  }

  /**
   * What the server has, as far as known. Does not wait.
   *
   * @param key any lock, at whose server the first call asks
   */
  public @Nullable CompareAndDelete of(String name, byte[] key) {
    CompareAndDelete has = known;
    if (has == null && !asked.get() && asked.compareAndSet(false, true)) {
      ask(name, key);
    }
    return has;
  }

  private void ask(String name, byte[] key) {
    ScriptRequest script =
        new ScriptRequest(Script.NATIVE_DELETE, new byte[][] {key}, new byte[0][]);
    redis
        .send(new ScriptCall<>("ask the server of", name, script, reply -> (Long) reply))
        .whenComplete(
            (which, failure) -> {
              if (failure == null) {
                known =
                    which == 1
                        ? CompareAndDelete.DELEX
                        : which == 2 ? CompareAndDelete.DELIFEQ : null;
              } else if (!isRefusal(failure)) {
                asked.set(false); // to be tried again
              }
            });
  }

  private static boolean isRefusal(Throwable failure) {
    return failure instanceof LockStoreException e && e.kind() == LockStoreException.Kind.REFUSED;
  }

  /** The server does not have it after all: another one has taken its place. */
  public void lacking() {
    known = null;
  }

  /** The key for a new lease, which waiters may mark if its release can be native. */
  LeaseKey markable(LeaseKey fresh, byte[] key) {
    return of(fresh.name(), key) == null || isMarkable(fresh.token())
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
    of(lease.name(), script.keys()[0]); // a quorum asks one node for all before it acquires
    return isMarkable(lease.token()) && !contended.contains(lease.name()) ? before(script) : script;
  }

  /** The same for a lock without waiters: a release by a script, or by the native command. */
  public ScriptRequest before(ScriptRequest script) {
    CompareAndDelete command = known;
    return command == null ? script : script.after(new NativeDelete(command, script, this));
  }

  /** {@link #release} of a markable lease has been answered. */
  void released(String name, boolean woke) {
    if (!woke) {
      contended.remove(name);
    } else if (contended.size() < MOST_NAMES) {
      contended.add(name);
    }
  }
}
