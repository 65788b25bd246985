package dev.leasehold.redis.setnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.NodeDriver;
import dev.leasehold.redis.common.NodeGuard;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.RunGuard;
import dev.leasehold.redis.common.ScriptCall;
import dev.leasehold.redis.common.ScriptRequest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import redis.clients.jedis.Protocol;

/**
 * The same on a node of a quorum. Its connections come and go unseen, so each acquisition asks the
 * server which of its runs this is. Thread-safe.
 */
final class JedisNode extends JedisDriver implements NodeDriver {
  private static final Command INFO = Command.of(Protocol.Command.INFO, "server".getBytes(UTF_8));

  private final NodeGuard guard;
  private volatile String runId = "";

  /** As the superclass; the node does not know the client yet. */
  JedisNode(
      JedisRedis redis, String storeId, Eviction eviction, KeySpace keys, Duration longestLease) {
    super(redis, storeId, eviction, keys);
    this.guard = new NodeGuard(new NodeVoter(longestLease, keys), redis.toString());
  }

  /** Registers the server's run. Blocks. */
  Duration enter() {
    try {
      return redis.talk(
          "enter the quorum for every",
          "*",
          keys.marker(),
          conversation -> {
            byte[] info = (byte[]) Objects.requireNonNull(conversation.call(INFO));
            String run = RunGuard.runId(new String(info, UTF_8));
            Duration left = guard.entered((List<?>) conversation.script(voter().enter(run)));
            runId = run;
            return left;
          });
    } catch (RuntimeException failure) {
      voter().notEntered();
      throw failure;
    }
  }

  @Override
  public void start(StoreContext context) {
    super.start(context);
    guard.start(context);
    redis.onNewPrimary(this::enterLater);
    guard.repeat(context, this::enterLater);
  }

  private void enterLater() {
    calls().run(this::enter);
  }

  @Override
  public <R> CompletionStage<R> acquire(
      ScriptCall<R> call,
      List<LeaseKey> leases,
      Duration ttl,
      Supplier<? extends CompletionStage<?>> undo) {
    ScriptRequest script = call.script();
    return guard.take(
        ttl,
        () -> {
          ScriptRequest guarded = voter().guard(script, script.script(), NodeVoter.ASK);
          return super.acquire(call.with(guarded), leases, ttl, undo);
        },
        this::enterLater);
  }

  @Override
  public NodeVoter voter() {
    return guard.voter();
  }

  @Override
  public String runId() {
    return runId;
  }

  @Override
  public void close() {
    guard.close();
    super.close();
  }
}
