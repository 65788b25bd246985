package dev.leasehold.testkit.proxy;

import java.util.List;

/**
 * A command as sent by a client. Invalid UTF-8 is replaced.
 *
 * @param name the first word, in upper case
 * @param args the other words
 * @param connectionId the number of the proxy's connection, from 1
 */
public record RespCommand(String name, List<String> args, long connectionId) {
  /** Copies the arguments. */
  public RespCommand {
    args = List.copyOf(args);
  }
}
