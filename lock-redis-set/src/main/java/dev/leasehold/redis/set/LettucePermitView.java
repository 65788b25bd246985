package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.ScriptRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Acquires a number of permits together. Thread-safe. */
final class LettucePermitView extends LettuceKindView {
  private final PermitScripts scripts;
  private final int wanted;
  private final int of;

  LettucePermitView(LettuceKindView store, PermitScripts scripts, int wanted, int of) {
    super(store);
    this.scripts = scripts;
    this.wanted = wanted;
    this.of = of;
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return take(
        request,
        redis,
        scripts.acquire(request, wanted, of, how(request.key())),
        reply -> PermitScripts.acquired(request, of, reply));
  }

  @Override
  ScriptRequest giving(LeaseKey lease) {
    return scripts.release(lease, wanted, how(lease));
  }

  /** Permits have no fencing numbers. */
  @Override
  ScriptRequest giving(LeaseKey lease, FenceRun run) {
    return giving(lease);
  }

  @Override
  ScriptRequest leaving(LeaseKey waiter) {
    return scripts.leave(waiter, wanted, how(waiter));
  }

  @Override
  ScriptRequest renewal(List<RenewRequest> batch) {
    return scripts.renew(batch);
  }

  @Override
  Optional<ScriptRequest> inspection(String name) {
    return Optional.empty();
  }
}
