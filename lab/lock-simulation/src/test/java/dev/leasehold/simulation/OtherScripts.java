package dev.leasehold.simulation;

import java.util.function.UnaryOperator;

/**
 * A change to scripts that applies to all servers of a thread, so that a mutated script does not
 * require reloading classes.
 */
public final class OtherScripts {
  private static final ThreadLocal<UnaryOperator<String>> CHANGE =
      ThreadLocal.withInitial(UnaryOperator::identity);

  private OtherScripts() {}

  /** The work done while the change applies. */
  @FunctionalInterface
  public interface Work {
    /** May throw anything. */
    void run() throws Throwable;
  }

  /** Runs the work with the change to scripts. */
  public static void during(UnaryOperator<String> change, Work work) throws Throwable {
    CHANGE.set(change);
    try {
      work.run();
    } finally {
      CHANGE.remove();
    }
  }

  static String of(String script) {
    return CHANGE.get().apply(script);
  }
}
