package dev.leasehold.testkit.worker;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.history.History;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A thread of a worker JVM. It executes its commands in order and owns what it acquires. Blocking
 * methods throw {@link WorkerFailure} for an exception thrown there.
 */
public final class Lane {
  private final Worker worker;
  private final String name;

  Lane(Worker worker, String name) {
    this.worker = worker;
    this.name = name;
  }

  CompletableFuture<List<String>> send(List<String> command) {
    return worker.send(name, command);
  }

  private static List<String> command(
      String word, String lockName, LockOptions options, String... more) {
    List<String> words = new ArrayList<>(List.of(word, lockName));
    words.addAll(LineFormat.options(options));
    words.addAll(List.of(more));
    return words;
  }

  /** Acquires, with an unbounded wait. Blocks. */
  public WorkerLease acquire(String lockName, LockOptions options) {
    return Await.value(acquiring(lockName, options));
  }

  /** Starts to acquire, with an unbounded wait. */
  public CompletableFuture<WorkerLease> acquiring(String lockName, LockOptions options) {
    return send(command("acquire", lockName, options)).thenApply(reply -> lease(reply));
  }

  /** Tries to acquire for at most this time; empty if the lock stayed contended. Blocks. */
  public Optional<WorkerLease> tryAcquire(String lockName, LockOptions options, Duration wait) {
    return Await.value(trying(lockName, options, wait));
  }

  /** Starts trying to acquire for at most this time. */
  public CompletableFuture<Optional<WorkerLease>> trying(
      String lockName, LockOptions options, Duration wait) {
    return send(command("try", lockName, options, LineFormat.nanos(wait)))
        .thenApply(reply -> reply.get(0).isEmpty() ? Optional.empty() : Optional.of(lease(reply)));
  }

  private WorkerLease lease(List<String> reply) {
    return new WorkerLease(this, reply.get(0), reply.get(1));
  }

  /** Starts threads that take a lock repeatedly for a given time; returns their history. */
  public CompletableFuture<History> contending(
      String lockName, LockOptions options, int threads, Duration duration) {
    return send(command(
            "contend", lockName, options, Integer.toString(threads), LineFormat.nanos(duration)))
        .thenApply(reply -> history(reply.get(0)));
  }

  /** As above, while the processes of the meeting contend. */
  public CompletableFuture<History> contending(
      String lockName, LockOptions options, int threads, Duration duration, Meeting meeting) {
    List<String> words =
        command(
            "contend", lockName, options, Integer.toString(threads), LineFormat.nanos(duration));
    words.addAll(meeting.words());
    return send(words).thenApply(reply -> history(reply.get(0)));
  }

  private static History history(String text) {
    try {
      return History.read(new StringReader(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The id of this thread in its JVM. */
  public long threadId() {
    return Long.parseLong(Await.value(send(List.of("thread-id"))).get(0));
  }

  /** The worker's wall-clock time, in milliseconds. */
  public long currentTimeMillis() {
    return Long.parseLong(Await.value(send(List.of("clock"))).get(0));
  }
}
