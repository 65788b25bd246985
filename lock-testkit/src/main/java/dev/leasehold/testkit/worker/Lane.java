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
 * One thread of a worker JVM: what is asked of it is done in order, by that thread, which therefore
 * owns what it acquires. Blocking methods throw {@link WorkerFailure} with what was thrown there.
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

  /** Acquires, waiting without bound. Blocks. */
  public WorkerLease acquire(String lockName, LockOptions options) {
    return Await.value(acquiring(lockName, options));
  }

  /** Begins to acquire, waiting without bound. */
  public CompletableFuture<WorkerLease> acquiring(String lockName, LockOptions options) {
    return send(command("acquire", lockName, options)).thenApply(reply -> lease(reply));
  }

  /** Asks for a lock for at most this time; empty if it stayed contended. Blocks. */
  public Optional<WorkerLease> tryAcquire(String lockName, LockOptions options, Duration wait) {
    return Await.value(trying(lockName, options, wait));
  }

  /** Begins to ask for a lock for at most this time. */
  public CompletableFuture<Optional<WorkerLease>> trying(
      String lockName, LockOptions options, Duration wait) {
    return send(command("try", lockName, options, LineFormat.nanos(wait)))
        .thenApply(reply -> reply.get(0).isEmpty() ? Optional.empty() : Optional.of(lease(reply)));
  }

  private WorkerLease lease(List<String> reply) {
    return new WorkerLease(this, reply.get(0), reply.get(1));
  }

  /** Begins to take a lock again and again with some threads, for a time; what they saw. */
  public CompletableFuture<History> contending(
      String lockName, LockOptions options, int threads, Duration duration) {
    return send(command(
            "contend", lockName, options, Integer.toString(threads), LineFormat.nanos(duration)))
        .thenApply(reply -> history(reply.get(0)));
  }

  /** Likewise, beside other processes that meet there. */
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

  /** Id of this thread in its JVM. */
  public long threadId() {
    return Long.parseLong(Await.value(send(List.of("thread-id"))).get(0));
  }

  /** The worker's time of day, in milliseconds. */
  public long currentTimeMillis() {
    return Long.parseLong(Await.value(send(List.of("clock"))).get(0));
  }
}
