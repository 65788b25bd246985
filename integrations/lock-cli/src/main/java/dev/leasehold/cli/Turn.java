package dev.leasehold.cli;

import dev.leasehold.cli.process.CommandGroup;
import dev.leasehold.cli.process.SignalHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Handles signals: before the lock is acquired they end the wait, and while the command runs they
 * are passed on to it. A signal between the two ends the launcher. Thread-safe.
 */
final class Turn {
  /**
   * How long leaving the queue may take: a signal must not wait for a store that does not answer.
   */
  private static final Duration LEAVING = Duration.ofSeconds(1);

  private final Thread waiting = Thread.currentThread();
  private final ReentrantLock changing = new ReentrantLock();
  private @Nullable CommandGroup group;
  private SignalHandlers.@Nullable Caught first;
  private final List<String> early = new ArrayList<>();

  private Turn() {}

  /** Starts handling signals. The calling thread is the one that waits. */
  static Turn begin() {
    Turn turn = new Turn();
    SignalHandlers.handle(turn::on);
    return turn;
  }

  private void on(SignalHandlers.Caught signal) {
    CommandGroup running;
    changing.lock();
    try {
      running = group;
      if (running == null && signal.ends() && first == null) {
        first = signal;
        early.add(signal.name());
        waiting.interrupt();
        startTimer(signal.exitCode());
      }
    } finally {
      changing.unlock();
    }
    if (running != null) {
      running.signal(signal.name());
    }
  }

  private void startTimer(int exitCode) {
    Thread timer =
        new Thread(
            () -> {
              long end = System.nanoTime() + LEAVING.toNanos();
              for (long left = LEAVING.toNanos(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
              }
              changing.lock();
              try {
                if (group != null) {
                  return; // the command was started all the same, and has got the signal
                }
              } finally {
                changing.unlock();
              }
              Runtime.getRuntime().halt(exitCode);
            },
            "leasehold-leaving");
    timer.setDaemon(true);
    timer.start();
  }

  /** Passes signals on to the command from now on, including those that arrived since its start. */
  void running(CommandGroup command) {
    changing.lock();
    try {
      group = command;
      early.forEach(command::signal);
    } finally {
      changing.unlock();
    }
    if (!early.isEmpty()) {
      Thread.interrupted(); // meant for the wait, which is over
    }
  }

  /** Returns whether a signal has ended the wait. */
  boolean isSignalled() {
    changing.lock();
    try {
      return first != null;
    } finally {
      changing.unlock();
    }
  }

  /** Returns the exit code of a process that is ended by the first signal. */
  int signalled() {
    changing.lock();
    try {
      SignalHandlers.Caught signal = first;
      if (signal == null) {
        throw new IllegalStateException("interrupted without a signal");
      }
      return signal.exitCode();
    } finally {
      changing.unlock();
    }
  }
}
