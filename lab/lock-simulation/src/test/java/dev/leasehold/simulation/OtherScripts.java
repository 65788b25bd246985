package dev.leasehold.simulation;

import java.util.function.UnaryOperator;

/**
 * What all servers of a thread run instead of the scripts that they are sent, whoever made them:
 * nothing has to be loaded anew for another script.
 */
public final class OtherScripts {
  private static final ThreadLocal<UnaryOperator<String>> CHANGE =
      ThreadLocal.withInitial(UnaryOperator::identity);

  private OtherScripts() {}

  /** What a thread does meanwhile. */
  @FunctionalInterface
  public interface Work {
    /** May throw anything. */
    void run() throws Throwable;
  }

  /** Does something while scripts are changed so. */
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
