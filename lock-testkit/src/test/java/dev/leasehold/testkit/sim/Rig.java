package dev.leasehold.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.sim.SimCall.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** A server, a client "c" of it, and what is wanted to look at the engine's timing. */
final class Rig {
  static final Duration WAY = ms(1);

  final SimWorld world;
  final SimServer server;
  final ScriptedFaults faults = new ScriptedFaults(FaultPlan.calm(WAY));
  final List<Message> messages = new ArrayList<>();
  final SimNode node;
  final SimLeaseStore store;
  final SimClient client;

  /** A message that a client sent. */
  record Message(long nanos, SimCall call) {
    boolean is(Operation operation) {
      return call.operation() == operation;
    }
  }

  Rig() {
    this(UnaryOperator.identity());
  }

  Rig(UnaryOperator<LockManager.Builder> settings) {
    this(new SimWorld(1), SimClock.exact(), settings);
  }

  Rig(SimWorld world, SimClock clock, UnaryOperator<LockManager.Builder> settings) {
    this.world = world;
    server = new SimServer(world.node("server"));
    server.alwaysSetsAside(
        1023); // so that also a holder that came to a quiet lock may hand it over
    node = world.node("c", clock);
    store = connect(node);
    client = SimClient.open(node, store, settings);
  }

  SimLeaseStore connect(SimNode from) {
    return server.connect(
        from,
        call -> {
          messages.add(new Message(world.nanos(), call));
          return faults.fate(call);
        });
  }

  /** Another client, which no script troubles. */
  SimClient calmClient(String name) {
    SimNode other = world.node(name);
    return SimClient.open(other, server.connect(other, FaultPlan.calm(WAY)));
  }

  static Duration ms(long n) {
    return Duration.ofMillis(n);
  }

  static LockOptions automatic(Duration lease) {
    return LockOptions.builder().automaticLease(lease).build();
  }

  Lease acquire(LockOptions options) {
    return world.await(client.lock("l", options).acquireAsync());
  }

  List<Message> sent(Operation operation) {
    return messages.stream().filter(m -> m.is(operation)).toList();
  }

  /** Milliseconds since the world began. */
  double now() {
    return world.nanos() / 1e6;
  }

  /** When a lease ends, in milliseconds since the world began. */
  double deadline(Lease lease) {
    return now() + lease.remaining().toNanos() / 1e6;
  }

  /** Notes when a loss is signalled. */
  Loss lossOf(Lease lease) {
    Loss loss = new Loss();
    lease
        .lost()
        .thenAccept(
            how -> {
              loss.at = now();
              loss.all.add(how);
            });
    return loss;
  }

  /** A loss signal, or none yet. */
  static final class Loss {
    final List<LeaseLoss> all = new ArrayList<>();
    double at = -1;

    LeaseLoss.Reason reason() {
      assertTrue(all.size() == 1, () -> "signals: " + all);
      return all.get(0).reason();
    }
  }

  /** What a stage failed with. */
  static Throwable failure(CompletionStage<?> stage) {
    CompletableFuture<?> future = stage.toCompletableFuture();
    assertTrue(future.isDone(), "it has not ended");
    Throwable failure = future.handle((value, f) -> f).join();
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }

  static void assertBetween(double least, double most, double actual) {
    assertTrue(actual >= least && actual <= most, () -> actual + " not in " + least + ".." + most);
  }
}
