package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.sim.SimFailure;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Scripts with a mistake, which random worlds must find. */
final class ScriptTwin {
  private ScriptTwin() {}

  /**
   * The failures of worlds that run a changed script.
   *
   * @param right the text in some script
   * @param wrong its replacement; null for no change
   * @param worlds run with the change to scripts
   */
  static String failure(
      String right, @Nullable String wrong, Consumer<UnaryOperator<String>> worlds) {
    boolean[] changed = new boolean[1];
    UnaryOperator<String> change =
        script -> {
          changed[0] |= script.contains(right);
          return script.replace(right, wrong == null ? "" : wrong);
        };
    SimFailure failure = assertThrows(SimFailure.class, () -> worlds.accept(change));
    assertTrue(changed[0], "no script has: " + right);
    return failure.getMessage();
  }
}
