package dev.leasehold.testkit.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A shell that sends signals by its built-in {@code kill}: on a busy machine a new process takes
 * hundreds of milliseconds to start, which would prolong each pause. It ends with this JVM, which
 * holds the other end of its standard input. Thread-safe.
 */
final class SignalShell {
  private static final String STATUS = "status ";

  private final ReentrantLock mutex = new ReentrantLock();
  private @Nullable Process shell;

  /** Runs {@code kill} to its end. */
  OsCommands.Result kill(String signal, long pid) {
    mutex.lock();
    try {
      Process running = running();
      PrintStream commands =
          new PrintStream(running.getOutputStream(), true, StandardCharsets.UTF_8);
      commands.println("kill " + signal + " " + pid + " 2>&1; echo " + STATUS + "$?");
      BufferedReader answers = running.inputReader(StandardCharsets.UTF_8);
      StringBuilder output = new StringBuilder();
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        if (line.startsWith(STATUS)) {
          return new OsCommands.Result(
              Integer.parseInt(line.substring(STATUS.length())), output.toString());
        }
        output.append(line).append('\n');
      }
      running.destroyForcibly();
      throw new ServerException("sh ended while it sent a signal. " + output);
    } catch (IOException e) {
      throw new ServerException("sh could not send a signal: " + e.getMessage(), e);
    } finally {
      mutex.unlock();
    }
  }

  private Process running() throws IOException {
    Process running = shell;
    if (running == null || !running.isAlive()) {
      running = new ProcessBuilder("sh").redirectError(ProcessBuilder.Redirect.DISCARD).start();
      shell = running;
    }
    return running;
  }
}
