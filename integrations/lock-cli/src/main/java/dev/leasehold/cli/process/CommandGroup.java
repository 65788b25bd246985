package dev.leasehold.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A running command in its own process group, with this JVM's standard streams. If this JVM is in
 * the terminal's foreground, the command takes its place; otherwise the command has its own
 * session. If this JVM is killed, a {@linkplain Guard guard} ends the whole group. Thread-safe.
 */
public final class CommandGroup {
  private final Path folder;
  private final Guard guard;
  private final Process process;

  private CommandGroup(Path folder, Guard guard, Process process) {
    this.folder = folder;
    this.guard = guard;
    this.process = process;
  }

  /**
   * Starts a command.
   *
   * @param command the command and its arguments
   * @param environment variables to set in addition to those of this JVM
   * @param without variables to remove before that
   * @param grace the time between SIGTERM and SIGKILL if this JVM is killed
   * @throws IOException if {@code sh}, {@code setsid} or a temporary folder is missing
   */
  public static CommandGroup start(
      List<String> command, Map<String, String> environment, Set<String> without, Duration grace)
      throws IOException {
    Path folder = Files.createTempDirectory("leasehold-run-");
    Guard guard = Guard.start(folder, grace);
    String registered = ShellScripts.text("registered.sh");
    List<String> words = new ArrayList<>();
    if (Terminal.isOurs()) {
      words.addAll(List.of("/bin/sh", "-m", "-c", ShellScripts.text("foreground.sh")));
      words.addAll(List.of(folder.toString(), registered));
    } else {
      words.addAll(List.of("setsid", "/bin/sh", "-c", registered, folder.toString()));
    }
    words.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
    builder.environment().keySet().removeAll(without);
    builder.environment().putAll(environment);
    try {
      return new CommandGroup(folder, guard, builder.start());
    } catch (IOException e) {
      guard.say("end");
      throw e;
    }
  }

  /**
   * Waits for the end of the command, but not of processes that it left in the background.
   *
   * @return its exit code; 128 plus the signal's number if a signal ended it; empty if it could not
   *     be started
   */
  public Optional<Integer> await() throws InterruptedException {
    int status = process.waitFor();
    boolean started = group().isPresent();
    guard.say("end");
    return started ? Optional.of(status) : Optional.empty();
  }

  /** Sends a signal, such as {@code TERM}, to every process of the group. */
  public void signal(String name) {
    if (!guard.say(name)) {
      group().ifPresent(group -> kill(name, group));
    }
  }

  /**
   * Warns the guard that the lease is about to expire: if this JVM is killed from now on, the group
   * is killed at once.
   */
  public void late() {
    guard.say("late");
  }

  /** Returns the id of the process group, once the command has registered. */
  public Optional<String> group() {
    try (Stream<Path> groups = Files.list(folder)) {
      return groups.map(group -> group.getFileName().toString()).findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Sends a signal without the guard, if that was killed. */
  private static void kill(String name, String group) {
    try {
      new ProcessBuilder("/bin/sh", "-c", "kill -s \"$0\" -- \"-$1\"", name, group)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new IllegalStateException("can't signal the command's process group " + group, e);
    }
  }
}
