package dev.leasehold.testkit.proxy;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Selects commands. Called on the proxy's threads, so it must be quick and thread-safe. */
@FunctionalInterface
public interface CommandMatch {

  /** Whether this command matches. */
  boolean test(RespCommand command);

  /** Every command, including a client's own housekeeping. */
  static CommandMatch any() {
    return command -> true;
  }

  /** Commands of these names; case does not matter. */
  static CommandMatch named(String... names) {
    Set<String> upper =
        Stream.of(names)
            .map(name -> name.toUpperCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
    return command -> upper.contains(command.name());
  }

  /** Commands one of whose arguments contains the text, such as a key or a part of it. */
  static CommandMatch containing(String text) {
    return command -> command.args().stream().anyMatch(arg -> arg.contains(text));
  }

  /** Commands that a client sends on its own account, to set up and maintain its connection. */
  static CommandMatch housekeeping() {
    return command -> CommandCounts.HOUSEKEEPING.contains(command.name());
  }

  /** Commands that match both. */
  default CommandMatch and(CommandMatch other) {
    return command -> test(command) && other.test(command);
  }

  /** Commands that match either. */
  default CommandMatch or(CommandMatch other) {
    return command -> test(command) || other.test(command);
  }

  /** Commands that do not match. */
  default CommandMatch negate() {
    return command -> !test(command);
  }
}
