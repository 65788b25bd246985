package dev.leasehold.redlock;

import dev.leasehold.redis.common.Script;
import dev.leasehold.simulation.Shipped;
import java.util.function.UnaryOperator;

/**
 * Other words in a script, wherever its file is part of what a server is sent.
 *
 * @param from what the file has exactly once
 * @param to what runs instead
 */
record ScriptChange(String from, String to) {

  static ScriptChange of(String from, String to) {
    return new ScriptChange(from, to);
  }

  /**
   * What a server does with each script.
   *
   * @throws IllegalStateException if the file does not have the words, or has them twice
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
