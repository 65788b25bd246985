package dev.leasehold.testkit.proxy;

import java.util.Locale;

/** Tracks CLIENT REPLY, by which a client suppresses replies. Not thread-safe. */
final class ReplyMode {
  private boolean off;
  private boolean skipNext;

  /** Whether the server answers this command. */
  boolean isAnswered(RespCommand command) {
    boolean skip = skipNext;
    skipNext = false;
    if (command.name().equals("CLIENT")
        && command.args().size() == 2
        && command.args().get(0).equalsIgnoreCase("REPLY")) {
      switch (command.args().get(1).toUpperCase(Locale.ROOT)) {
        case "ON" -> off = false;
        case "OFF" -> off = true;
        case "SKIP" -> {
          skipNext = !off;
          return false;
        }
        default -> {
          // an error, which is answered like any other command
        }
      }
    }
    return !off && !skip;
  }
}
