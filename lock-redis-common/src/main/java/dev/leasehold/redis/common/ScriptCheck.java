package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;

/** Refuses a server or user that can't run scripts, when a store that needs them is opened. */
public final class ScriptCheck {
  private static final String NO_SCRIPT = "0".repeat(40);
  private static final String TEXT = "return 1";

  private ScriptCheck() {}

  /** The digest of a script that no server has: a permitted user gets {@code NOSCRIPT}. */
  public static byte[] unknownSha() {
    return NO_SCRIPT.getBytes(US_ASCII);
  }

  /** A script that does nothing. */
  public static byte[] body() {
    return TEXT.getBytes(US_ASCII);
  }

  /**
   * Tries each of the two commands once. Failures other than a refusal are left for the first lock
   * to report.
   *
   * @param what what needs scripts, for the message
   * @param evalSha calls {@link #unknownSha()} without keys; throws the server's error
   * @param eval runs {@link #body()} without keys; likewise
   * @throws LockConfigurationException if one of them is refused
   */
  public static void check(String what, Runnable evalSha, Runnable eval) {
    check(what, evalSha);
    check(what, eval);
  }

  private static void check(String what, Runnable command) {
    try {
      command.run();
    } catch (LockStoreException e) {
      if (e.kind() == Kind.REFUSED && !String.valueOf(e.getMessage()).contains("NOSCRIPT")) {
        throw new LockConfigurationException(
            what
                + " needs scripts, which are refused here ("
                + e.getMessage()
                + "): permit the commands EVAL and EVALSHA, or use lock.backend = redis-set in fenced"
                + " mode on Redis 8.4 or Valkey 9 with a user who may send DELEX or DELIFEQ, or"
                + " lock.backend = redis-setnx with lock.redis-setnx.scheme = setnx-timestamp",
            e);
      }
    }
  }
}
