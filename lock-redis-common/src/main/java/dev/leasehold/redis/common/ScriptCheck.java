package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import java.util.function.BiConsumer;

/** Refuses a server or user that can't run scripts, when a store that needs them is opened. */
public final class ScriptCheck {
  /** The digest of a script that no server has: a permitted user gets {@code NOSCRIPT}. */
  private static final String NO_SCRIPT = "0".repeat(40);

  private static final String DOES_NOTHING = "return 1";

  private ScriptCheck() {}

  /**
   * Tries each of the two commands once. Failures other than a refusal are left for the first lock
   * to report.
   *
   * @param what what needs scripts, for the message
   * @param call sends {@code EVALSHA} or {@code EVAL} with a digest or script, without keys; throws
   *     the server's error
   * @throws LockConfigurationException if one of them is refused
   */
  public static void check(String what, BiConsumer<String, byte[]> call) {
    check(what, () -> call.accept("EVALSHA", NO_SCRIPT.getBytes(US_ASCII)));
    check(what, () -> call.accept("EVAL", DOES_NOTHING.getBytes(US_ASCII)));
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
