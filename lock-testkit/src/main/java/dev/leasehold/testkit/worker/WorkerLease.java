package dev.leasehold.testkit.worker;

import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * A lease held by a worker JVM. Each method calls the worker, on the lane that acquired the lease.
 */
public final class WorkerLease {
  private final Lane lane;
  private final String id;
  private final String token;

  WorkerLease(Lane lane, String id, String token) {
    this.lane = lane;
    this.id = id;
    this.token = token;
  }

  private String ask(String command, String... more) {
    List<String> reply = Await.value(lane.send(words(command, more)));
    return reply.get(0);
  }

  private List<String> words(String command, String... more) {
    List<String> words = new java.util.ArrayList<>(List.of(command, id));
    words.addAll(List.of(more));
    return words;
  }

  /** {@link dev.leasehold.lock.Lease#isValid()} there. */
  public boolean isValid() {
    return Boolean.parseBoolean(ask("valid"));
  }

  /** {@link dev.leasehold.lock.Lease#remaining()} there. */
  public Duration remaining() {
    return LineFormat.duration(ask("remaining"));
  }

  /** {@link dev.leasehold.lock.Lease#extend} there. */
  public boolean extend(Duration lease) {
    return Boolean.parseBoolean(ask("extend", LineFormat.nanos(lease)));
  }

  /** The fencing token; empty without fencing. */
  public OptionalLong fencingToken() {
    return token.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(token));
  }

  /** {@link dev.leasehold.lock.Lease#release()} there. Blocks. */
  public void release() {
    Await.value(releasing());
  }

  /** Starts to release. */
  public CompletableFuture<?> releasing() {
    return lane.send(words("release"));
  }
}
