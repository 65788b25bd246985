package dev.leasehold.redis.setnx;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ScriptRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Acquires a number of permits together. */
final class SemaphoreView extends JedisKindView {
  private final PermitScripts scripts;
  private final Function<String, Publishing> publishing;
  private final int wanted;
  private final int of;

  SemaphoreView(
      JedisKindView store,
      StoreContext context,
      PermitScripts scripts,
      Function<String, Publishing> publishing,
      int wanted,
      int of) {
    super(store, context);
    this.scripts = scripts;
    this.publishing = publishing;
    this.wanted = wanted;
    this.of = of;
  }

  @Override
  ScriptRequest acquisition(AcquireRequest request) {
    return scripts.acquire(request, wanted, of, publishing.apply(request.key().name()));
  }

  @Override
  AcquireResult acquired(AcquireRequest request, Object reply) {
    return PermitScripts.acquired(request, of, reply);
  }

  @Override
  ScriptRequest giving(LeaseKey lease, boolean forGood) {
    Publishing how = publishing.apply(lease.name());
    return forGood
        ? scripts.releaseForGood(lease, wanted, how)
        : scripts.release(lease, wanted, how);
  }

  /** Permits have no fencing numbers. */
  @Override
  ScriptRequest giving(LeaseKey lease, FenceRun run) {
    return giving(lease, false);
  }

  @Override
  ScriptRequest leaving(LeaseKey waiter) {
    return scripts.leave(waiter, wanted, publishing.apply(waiter.name()));
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
