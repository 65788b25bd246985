package dev.leasehold.cli.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A small shell process that sends signals to the command's process group, and ends the group if
 * this JVM is killed: it then reads the end of its standard input, a pipe that only this JVM holds.
 * It runs in its own session, so signals to the JVM's group or from its terminal do not reach it.
 * Thread-safe.
 */
final class Guard {
  private static final int MILLIS_OF_TENTH = 100;
  private final Process process;
  private final ReentrantLock writing = new ReentrantLock();

  private Guard(Process process) {
    this.process = process;
  }

  /**
   * Starts the guard, which must run before the command does.
   *
   * @param folder where the command registers
   * @param grace the time between SIGTERM and SIGKILL if this JVM is killed
   */
  static Guard start(Path folder, Duration grace) throws IOException {
    String tenths = Long.toString(grace.toMillis() / MILLIS_OF_TENTH);
    return new Guard(
        new ProcessBuilder(
                "setsid", "/bin/sh", "-c", ShellScripts.text("guard.sh"), folder.toString(), tenths)
            .directory(Path.of("/").toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /**
   * Sends a word to the guard; see {@code guard.sh}.
   *
   * @return whether the guard is alive
   */
  boolean say(String word) {
    writing.lock();
    try {
      OutputStream out = process.getOutputStream();
      out.write((word + "\n").getBytes(StandardCharsets.US_ASCII));
      out.flush();
      return process.isAlive();
    } catch (IOException e) {
      return false;
    } finally {
      writing.unlock();
    }
  }
}
