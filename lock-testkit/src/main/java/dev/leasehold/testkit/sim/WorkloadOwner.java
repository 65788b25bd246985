package dev.leasehold.testkit.sim;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.Event.Kind;
import dev.leasehold.testkit.history.Event.Phase;
import dev.leasehold.testkit.history.FencedResource;
import dev.leasehold.testkit.history.HistoryRecorder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** An owner that repeatedly pauses, acquires in one of several ways, works, and releases. */
final class WorkloadOwner {
  private static final Duration LONGEST_THINKING = Duration.ofMillis(20);
  private static final Duration LONGEST_WAY_TO_RESOURCE = Duration.ofMillis(30);

  private final Workload workload;
  private final SimClient client;
  private final String name;
  private final HistoryRecorder recorder;
  private final RandomGenerator random;
  private int lock;
  private LockOwner owner = LockOwner.unique("");
  private long acquired;
  private boolean idle;
  private @Nullable Lease outer;

  WorkloadOwner(Workload workload, SimClient client, String name, HistoryRecorder recorder) {
    this.workload = workload;
    this.client = client;
    this.name = name;
    this.recorder = recorder;
    this.random = workload.world().random();
  }

  boolean isOn(SimClient other) {
    return client.equals(other);
  }

  boolean isIdle() {
    return idle;
  }

  long acquired() {
    return acquired;
  }

  void begin() {
    later(LONGEST_THINKING, this::attempt);
  }

  private void later(Duration most, Runnable step) {
    client.node().scheduler().schedule(Workload.any(random, most), step);
  }

  private void attempt() {
    if (workload.isStopped()) {
      idle = true;
      return;
    }
    lock = workload.anyLock(random);
    owner = LockOwner.unique(name);
    outer = null;
    acquire(workload.options(), this::work, this::begin);
  }

  /** Acquires in a random way, and continues with the result. */
  private void acquire(LockOptions options, Consumer<Lease> then, Runnable otherwise) {
    DistributedLock target = client.lock(workload.lock(lock), options).as(owner);
    switch (random.nextInt(4)) {
      case 0 ->
          outcome(Kind.TRY_ACQUIRE, () -> target.tryAcquireAsync(Duration.ZERO), then, otherwise);
      case 1 -> {
        Duration wait = Workload.any(random, workload.longestHold().multipliedBy(2)).plusNanos(1);
        outcome(Kind.ACQUIRE, () -> target.tryAcquireAsync(wait), then, otherwise);
      }
      default ->
          outcome(
              Kind.ACQUIRE,
              () -> {
                CompletionStage<Lease> stage = target.acquireAsync();
                if (random.nextInt(8) == 0) {
                  later(workload.longestHold(), () -> stage.toCompletableFuture().cancel(false));
                }
                return stage.thenApply(Optional::of);
              },
              then,
              otherwise);
    }
  }

  private void outcome(
      Kind kind,
      Supplier<CompletionStage<Optional<Lease>>> call,
      Consumer<Lease> then,
      Runnable otherwise) {
    record(kind, Phase.INVOKE);
    call.get()
        .whenComplete(
            (lease, failure) -> {
              if (failure != null) {
                record(kind, Phase.UNKNOWN);
                otherwise.run();
              } else if (lease.isEmpty()) {
                record(kind, Phase.FAIL);
                otherwise.run();
              } else {
                acquired++;
                record(kind, Phase.OK, token(lease.get()), deadline(lease.get()));
                then.accept(lease.get());
              }
            });
  }

  private void work(Lease lease) {
    outer = lease;
    lease
        .lost()
        .thenAccept(
            loss -> {
              if (outer == lease) {
                record(Kind.LOST, Phase.OK);
              }
            });
    later(
        workload.longestHold().dividedBy(3),
        () -> {
          look(lease);
          reenter(lease, () -> write(lease));
        });
  }

  /** Occasionally re-enters, sometimes repeatedly: a fixed lease must then be extended. */
  private void reenter(Lease lease, Runnable then) {
    if (random.nextInt(4) > 0) {
      then.run();
      return;
    }
    Duration longer =
        workload.options().lease().multipliedBy(random.nextInt(Workload.LONGEST_LEASE) + 1);
    acquire(
        LockOptions.fixed(longer),
        inner -> {
          look(lease);
          later(
              workload.longestHold().dividedBy(6),
              () -> reenter(lease, () -> release(inner, then)));
        },
        then);
  }

  /**
   * A writer may or may not check its lease before it writes: the resource checks the token. It may
   * write again later, possibly after another holder has written.
   */
  private void write(Lease lease) {
    look(lease);
    OptionalLong token = token(lease);
    if (token.isEmpty() || random.nextInt(4) == 0 || (random.nextBoolean() && !lease.isValid())) {
      later(workload.longestHold().dividedBy(3), () -> release(lease, this::begin));
      return;
    }
    FencedResource resource = workload.resource(lock);
    record(Kind.WRITE, Phase.INVOKE, token, OptionalLong.empty());
    workload
        .world()
        .after(
            Workload.any(random, LONGEST_WAY_TO_RESOURCE),
            () -> {
              Phase phase =
                  resource.write(token.getAsLong()) == FencedResource.Outcome.ACCEPTED
                      ? Phase.OK
                      : Phase.FAIL;
              client
                  .node()
                  .deliver(
                      () -> {
                        record(Kind.WRITE, phase);
                        if (random.nextInt(4) > 0) {
                          later(workload.longestHold().dividedBy(6), () -> write(lease));
                        } else {
                          release(lease, this::begin);
                        }
                      });
            });
  }

  private void release(Lease lease, Runnable then) {
    look(lease);
    record(Kind.RELEASE, Phase.INVOKE, OptionalLong.empty(), deadline(lease));
    lease
        .releaseAsync()
        .whenComplete(
            (done, failure) -> {
              record(Kind.RELEASE, phase(failure));
              then.run();
            });
  }

  private static Phase phase(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause == null
        ? Phase.OK
        : cause instanceof LeaseLostException ? Phase.FAIL : Phase.UNKNOWN;
  }

  private void look(Lease lease) {
    OptionalLong deadline = deadline(lease);
    if (deadline.isPresent()) {
      record(Kind.RENEWED, Phase.OK, OptionalLong.empty(), deadline);
    }
  }

  /** The deadline in the world's time. */
  private OptionalLong deadline(Lease lease) {
    Duration left = lease.remaining();
    return left.isZero()
        ? OptionalLong.empty()
        : OptionalLong.of(workload.world().nanos() + client.node().toWorld(left).toNanos());
  }

  private static OptionalLong token(Lease lease) {
    try {
      return OptionalLong.of(lease.fencingToken());
    } catch (UnsupportedOperationException withoutFencing) {
      return OptionalLong.empty();
    }
  }

  private void record(Kind kind, Phase phase) {
    record(kind, phase, OptionalLong.empty(), OptionalLong.empty());
  }

  private void record(Kind kind, Phase phase, OptionalLong token, OptionalLong deadline) {
    workload.world().trace(client.node().name(), List.of(name, kind, phase));
    recorder.record(
        new Event(
            client.node().name(),
            name,
            workload.lock(lock),
            kind,
            phase,
            workload.world().nanos(),
            token,
            deadline));
  }
}
