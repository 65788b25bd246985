package dev.leasehold.redis.setnx;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ReadWriteScripts;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.ScriptRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** A side of read/write locks. */
final class SideView extends JedisKindView {
  private final ReadWriteScripts scripts;
  private final Function<String, Publishing> publishing;
  private final Side side;
  private final String beside;

  SideView(
      JedisKindView store,
      StoreContext context,
      ReadWriteScripts scripts,
      Function<String, Publishing> publishing,
      Side side,
      String beside) {
    super(store, context);
    this.scripts = scripts;
    this.publishing = publishing;
    this.side = side;
    this.beside = beside;
  }

  @Override
  ScriptRequest acquisition(AcquireRequest request) {
    return scripts.acquire(request, side, beside, publishing.apply(request.key().name()));
  }

  @Override
  AcquireResult acquired(AcquireRequest request, Object reply) {
    return Replies.acquire(reply, request.ttl());
  }

  @Override
  ScriptRequest giving(LeaseKey lease, boolean forGood) {
    Publishing how = publishing.apply(lease.name());
    return forGood ? scripts.releaseForGood(lease, side, how) : scripts.release(lease, side, how);
  }

  @Override
  ScriptRequest giving(LeaseKey lease, FenceRun run) {
    return scripts.release(lease, side, run, publishing.apply(lease.name()));
  }

  @Override
  ScriptRequest leaving(LeaseKey waiter) {
    return scripts.leave(waiter, side, publishing.apply(waiter.name()));
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
