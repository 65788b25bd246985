package dev.leasehold.redis.set;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.redis.common.ReadWriteScripts;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.ScriptRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A side of read/write locks. Thread-safe. */
class ReadWriteView extends LettuceKindView {
  final ReadWriteScripts scripts;
  final Side side;
  private final String beside;

  /**
   * A side.
   *
   * @param beside the token of a writer that this reader may coexist with; empty for none
   */
  ReadWriteView(LettuceKindView store, ReadWriteScripts scripts, Side side, String beside) {
    super(store);
    this.scripts = scripts;
    this.side = side;
    this.beside = beside;
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return acquire(request, redis, scripts.acquire(request, side, beside, how(request.key())));
  }

  /** The script that acquires it on a node of a quorum. */
  final ScriptRequest voting(AcquireRequest request, long proposal) {
    return scripts.vote(request, side, beside, how(request.key()), proposal);
  }

  final CompletionStage<AcquireResult> acquire(
      AcquireRequest request, Sender to, ScriptRequest script) {
    return take(request, to, script, reply -> Replies.acquire(reply, request.ttl()));
  }

  @Override
  ScriptRequest giving(LeaseKey lease) {
    return scripts.release(lease, side, how(lease));
  }

  @Override
  ScriptRequest giving(LeaseKey lease, FenceRun run) {
    return scripts.release(lease, side, run, how(lease));
  }

  @Override
  ScriptRequest leaving(LeaseKey waiter) {
    return scripts.leave(waiter, side, how(waiter));
  }

  @Override
  ScriptRequest renewal(List<RenewRequest> batch) {
    return scripts.renew(batch, side);
  }

  @Override
  Optional<ScriptRequest> inspection(String name) {
    return Optional.of(scripts.inspect(name, side));
  }

  @Override
  public Set<Guarantee> guarantees() {
    Set<Guarantee> all = super.guarantees();
    all.add(Guarantee.FENCING);
    return all;
  }
}
