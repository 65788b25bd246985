package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.redis.common.NodeDriver;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.ScriptCall;
import dev.leasehold.redis.common.WakeChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The same on a node of a quorum. Thread-safe. */
final class LettuceNode extends LettuceDriver implements NodeDriver {
  private final Guard guard;

  LettuceNode(NodeServer redis, @Nullable WakeChannel channel, StoreOptions options) {
    super(redis, channel, options);
    this.guard = new Guard(redis);
  }

  @Override
  public void start(StoreContext context) {
    super.start(context);
    guard.start(context);
  }

  @Override
  public <R> CompletionStage<R> acquire(
      ScriptCall<R> call,
      List<LeaseKey> leases,
      Duration ttl,
      Supplier<? extends CompletionStage<?>> undo) {
    return guard.take(
        ttl, call.script(), (run, script) -> acquire(run, call.with(script), leases, undo));
  }

  @Override
  public NodeVoter voter() {
    return guard.redis().voter();
  }

  @Override
  public String runId() {
    return guard.redis().runId();
  }
}
