package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;

/** Refuses a server, or a user, that can't run scripts, when a store is opened that needs them. */
public final class ScriptCheck {
  private static final String NO_SCRIPT = "0".repeat(40);
  private static final String TEXT = "return 1";

  private ScriptCheck() {}

  /** The digest of a script that no server has: who may ask for it is told {@code NOSCRIPT}. */
  public static byte[] unknownSha() {
    return NO_SCRIPT.getBytes(US_ASCII);
  }

  /** A script that does nothing. */
  public static byte[] body() {
    return TEXT.getBytes(US_ASCII);
  }

  /**
   * Asks once by each of the two commands. What fails for another reason is left to the first lock.
   *
   * @param what needs scripts, for the message
   * @param evalSha asks for {@link #unknownSha()} without keys; throws what the server answers
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
                + "): permit the commands EVAL and EVALSHA, or use lock.backend = redis-setnx with"
                + " lock.redis-setnx.scheme = setnx-timestamp, which needs none",
            e);
      }
    }
  }
}
