package dev.leasehold.redlock;

import dev.leasehold.redis.common.Script;
import dev.leasehold.simulation.Shipped;
import java.util.function.UnaryOperator;

/**
 * A text replacement in a script, applied wherever its file is part of a script sent to a server.
 *
 * @param from text that occurs in the file exactly once
 * @param to its replacement
 */
record ScriptChange(String from, String to) {

  static ScriptChange of(String from, String to) {
    return new ScriptChange(from, to);
  }

  /**
   * The change that a server applies to each script.
   *
   * @throws IllegalStateException if {@code from} does not occur exactly once in the file
   */
  UnaryOperator<String> in(String file) {
    String shipped = Shipped.text(Script.class, file);
    int at = shipped.indexOf(from);
    if (at < 0 || shipped.indexOf(from, at + 1) >= 0) {
      throw new IllegalStateException(file + " does not have once: " + from);
    }
    String changed = shipped.replace(from, to);
    return text -> text.replace(shipped, changed);
  }
}
