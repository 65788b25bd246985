package dev.leasehold.redis.set;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.redis.common.NodeDriver;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.ScriptCall;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.WakeChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The same on a node of a quorum. Thread-safe. */
final class LettuceNode extends LettuceDriver implements NodeDriver {
  private final NodeServer node;

  LettuceNode(NodeServer redis, @Nullable WakeChannel channel, StoreOptions options) {
    super(redis, channel, options);
    this.node = redis;
  }

  @Override
  public void start(StoreContext context) {
    super.start(context);
    node.start(context);
  }

  @Override
  public <R> CompletionStage<R> acquire(
      ScriptCall<R> call,
      List<LeaseKey> leases,
      Duration ttl,
      Supplier<? extends CompletionStage<?>> undo) {
    return node.guard().take(ttl, () -> acquire(call, leases, undo), this::enter);
  }

  private <R> CompletionStage<R> acquire(
      ScriptCall<R> call, List<LeaseKey> leases, Supplier<? extends CompletionStage<?>> undo) {
    ServerRun run = node.run();
    if (run == null) {
      return CompletableFuture.failedFuture(
          new LockStoreException(
              LockStoreException.Kind.UNREACHABLE, node.address() + " is not connected"));
    }
    ScriptRequest script = call.script();
    ScriptRequest guarded = voter().guard(script, script.script(), run.runId());
    return acquire(run, call.with(guarded), leases, undo);
  }

  private void enter() {
    ServerRun run = node.run();
    if (run == null) {
      voter().notEntered(); // the next connection begins with it
    } else {
      node.enter(run);
    }
  }

  @Override
  public NodeVoter voter() {
    return node.guard().voter();
  }

  @Override
  public String runId() {
    return node.runId();
  }
}
