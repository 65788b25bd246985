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
 * A running command in a process group of its own, with this JVM's standard streams. Where this JVM
 * has the terminal's foreground, the command gets it; elsewhere the command has a session of its
 * own. If this JVM is killed, a {@linkplain Guard guard} ends the whole group. Thread-safe.
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
   * @param environment variables to set beside those of this JVM
   * @param without variables to take out first
   * @param grace between SIGTERM and SIGKILL, if this JVM ends without notice
   * @throws IOException if {@code sh} or {@code setsid} or a temporary folder is missing
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
   * Waits for the command's end. Processes that it left in the background are not waited for.
   *
   * @return its exit code; 128 and the signal's number if a signal ended it; empty if it could not
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

  /** Says that the lease is about to end: should this JVM be killed now, the group is at once. */
  public void late() {
    guard.say("late");
  }

  /** Id of the process group, once the command has registered. */
  public Optional<String> group() {
    try (Stream<Path> groups = Files.list(folder)) {
      return groups.map(group -> group.getFileName().toString()).findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Without the guard, which somebody killed. */
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
