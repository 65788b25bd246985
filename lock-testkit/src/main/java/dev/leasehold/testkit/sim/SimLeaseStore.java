package dev.leasehold.testkit.sim;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.testkit.sim.SimCall.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A client's connection to a {@link SimServer}: each call is a message whose {@link Fate} is
 * decided by the client's {@link FaultPlan}. A sent message cannot be withdrawn. Not thread-safe.
 */
public final class SimLeaseStore implements QuorumNode, MinimumHold {
  private static final Duration REFUSAL = Duration.ofMillis(1);
  private static final Duration RECONNECT = Duration.ofMillis(50);

  private final SimNode client;
  private final SimServer server;
  private final FaultPlan faults;
  private final Map<Operation, Long> sent = new EnumMap<>(Operation.class);
  private final Map<String, List<Runnable>> watches = new LinkedHashMap<>();
  private boolean closed;

  SimLeaseStore(SimNode client, SimServer server, FaultPlan faults) {
    this.client = client;
    this.server = server;
    this.faults = faults;
  }

  /** The number of messages sent for an operation. */
  public long sent(Operation operation) {
    return sent.getOrDefault(operation, 0L);
  }

  private SimWorld world() {
    return client.world();
  }

  private Fate fate(Operation operation, String lock) {
    long number = sent(operation);
    sent.put(operation, number + 1);
    return faults.fate(new SimCall(client.name(), server.node().name(), operation, lock, number));
  }

  private <T> CompletableFuture<T> call(Operation operation, String lock, Supplier<T> work) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Fate fate = fate(operation, lock);
    world().trace(client.name(), List.of(operation, lock, fate));
    if (fate instanceof Fate.Sent way) {
      for (Duration there : way.requests()) {
        world().after(there, () -> arrive(operation, work, answer, way.replies()));
      }
    } else if (fate instanceof Fate.Failed failed) {
      for (Duration there : failed.requests()) {
        world().after(there, () -> arrive(operation, work, answer, List.of()));
      }
      later(failed.after(), () -> answer.completeExceptionally(failed.cause()));
    } else if (server.node().state() == SimNode.State.RUNNING) {
      answerOf(work).accept(answer);
    }
    return answer;
  }

  /** Executes the operation on the server; returns how the answer completes the caller's future. */
  private static <T> Consumer<CompletableFuture<T>> answerOf(Supplier<T> work) {
    try {
      T result = work.get();
      return answer -> answer.complete(result);
    } catch (LockStoreException refusal) {
      return answer -> answer.completeExceptionally(refusal);
    }
  }

  /** Delivers a task to the client after a delay. */
  private void later(Duration delay, Runnable task) {
    world().after(delay, () -> client.deliver(task));
  }

  private <T> void arrive(
      Operation operation, Supplier<T> work, CompletableFuture<T> answer, List<Duration> replies) {
    if (server.node().state() == SimNode.State.DOWN) {
      later(
          REFUSAL,
          () ->
              answer.completeExceptionally(
                  new LockStoreException(
                      LockStoreException.Kind.UNREACHABLE, "no server to take the " + operation)));
      return;
    }
    server
        .node()
        .deliver(
            () -> {
              Consumer<CompletableFuture<T>> result = answerOf(work);
              for (Duration back : replies) {
                later(back, () -> result.accept(answer));
              }
            });
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return call(Operation.ACQUIRE, request.key().name(), () -> server.acquire(request, this));
  }

  @Override
  public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
    return call(
        Operation.ACQUIRE, request.key().name(), () -> server.vote(request, proposal, this));
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    return call(Operation.RAISE, lease.name(), () -> server.raise(lease, fence, handOvers));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    CompletableFuture<List<RenewResult>> all =
        call(
            Operation.RENEW,
            batch.get(0).key().name(),
            () -> batch.stream().map(server::renew).toList());
    List<CompletionStage<RenewResult>> each = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      int index = i;
      each.add(all.thenApply(results -> results.get(index)));
    }
    return each;
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return call(Operation.RELEASE, lease.name(), () -> server.release(lease));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return call(Operation.RELEASE, lease.name(), () -> server.release(lease, run));
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return call(Operation.KEEP, lease.name(), () -> server.keep(lease, rest));
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return call(
        Operation.LEAVE,
        waiter.name(),
        () -> {
          server.leave(waiter);
          return waiter;
        });
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return call(Operation.INSPECT, name, () -> server.inspect(name));
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    String lock = waiter.name();
    CompletableFuture<Watch> watch = new CompletableFuture<>();
    call(
            Operation.WATCH,
            lock,
            () -> {
              server.listen(this, List.of(lock));
              return lock;
            })
        .whenComplete(
            (begun, failure) -> {
              if (failure != null) {
                watch.completeExceptionally(failure);
                return;
              }
              watches.computeIfAbsent(lock, l -> new ArrayList<>()).add(wakeUp);
              if (!watch.complete(() -> stop(lock, wakeUp))) {
                stop(lock, wakeUp); // given up meanwhile
              }
            });
    return watch;
  }

  private void stop(String lock, Runnable wakeUp) {
    List<Runnable> wakeUps = watches.get(lock);
    if (wakeUps != null && wakeUps.remove(wakeUp) && wakeUps.isEmpty()) {
      watches.remove(lock);
      server.stopListening(this, lock);
    }
  }

  /** The server wakes this client. */
  void sendWakeUp(String lock) {
    if (fate(Operation.WAKE_UP, lock) instanceof Fate.Sent way) {
      way.requests().forEach(there -> later(there, () -> wake(lock)));
    }
  }

  private void wake(String lock) {
    world().trace(client.name(), List.of("woken for", lock));
    List.copyOf(watches.getOrDefault(lock, List.of())).forEach(Runnable::run);
  }

  /** The server is back: subscribes again, and wakes every watch once. */
  void reconnect() {
    later(
        RECONNECT,
        () -> {
          List<String> locks = List.copyOf(watches.keySet());
          if (!closed && !locks.isEmpty()) {
            server.listen(this, locks);
            locks.forEach(this::wake);
          }
        });
  }

  @Override
  public Set<Guarantee> guarantees() {
    return EnumSet.of(
        Guarantee.OWNED,
        Guarantee.SERVER_EXPIRY,
        Guarantee.FENCING,
        Guarantee.WAKE_UP,
        Guarantee.WAKE_ONE,
        Guarantee.MINIMUM_HOLD);
  }

  @Override
  public void close() {
    closed = true;
    watches.clear();
    server.disconnect(this);
  }

  @Override
  public String toString() {
    return client.name() + " at " + server.node().name();
  }
}
