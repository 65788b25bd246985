package dev.leasehold.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Suspends and resumes processes, as {@code kill -STOP} and {@code kill -CONT} do. Meant for
 * processes that the caller started: servers, and JVMs that hold locks.
 */
public final class Signals {
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final SignalShell SHELL = new SignalShell();

  private Signals() {}

  /** Suspends the process; returns once it is stopped. */
  public static void pause(long pid) {
    send("-STOP", pid);
    // The signal may still be pending. On Linux the process's state shows when it has taken effect.
    Path status = Path.of("/proc", Long.toString(pid), "stat");
    long start = System.nanoTime();
    while (Files.exists(status) && !isStopped(status)) {
      if (System.nanoTime() - start > LONGEST.toNanos()) {
        throw new ServerException("Process " + pid + " still runs after kill -STOP");
      }
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
  }

  /** Resumes a suspended process. */
  public static void resume(long pid) {
    send("-CONT", pid);
  }

  private static void send(String signal, long pid) {
    OsCommands.Result result = SHELL.kill(signal, pid);
    if (result.status() != 0) {
      throw new IllegalStateException(
          "kill " + signal + " " + pid + " failed: " + result.output().strip());
    }
  }

  private static boolean isStopped(Path status) {
    try {
      String line = Files.readString(status);
      // The state follows the name, which is in brackets and may contain any character.
      return line.charAt(line.lastIndexOf(')') + 2) == 'T';
    } catch (IOException e) {
      // it has ended meanwhile
      return true;
    }
  }
}
