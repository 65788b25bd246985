package dev.leasehold.testkit.proxy;

import java.util.List;

/**
 * A command as a client sent it. Bytes that are no UTF-8 are replaced.
 *
 * @param name the first word, in upper case
 * @param args the other words
 * @param connectionId which of the proxy's connections it came by: 1 for the first, and so on
 */
public record RespCommand(String name, List<String> args, long connectionId) {
  /** Copies the arguments. */
  public RespCommand {
    args = List.copyOf(args);
  }
}
