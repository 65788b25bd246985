package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.BlockingLeaseStore;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A store whose leases only their tokens renew and release. */
abstract class OwnedStore extends BlockingLeaseStore {
  private @Nullable StoreContext lent;

  /** A store's leases of another kind, on its connections. */
  abstract static class View extends OwnedStore {
    private final SoundStore store;

    View(SoundStore store) {
      this.store = store;
      start(store.context());
    }

    @Override
    protected final Optional<StoredLease> inspectNow(String name) {
      return Optional.empty();
    }

    @Override
    public final Set<Guarantee> guarantees() {
      return store.guarantees();
    }

    @Override
    public final void close() {
      // the store closes what its views share
    }
  }

  /** A store's own guarantees, and those that its author claims besides. */
  static Guarantee[] with(Guarantee[] more, Guarantee... own) {
    return Stream.concat(Stream.of(own), Stream.of(more)).toArray(Guarantee[]::new);
  }

  @Override
  public void start(StoreContext context) {
    super.start(context);
    lent = context;
  }

  final StoreContext context() {
    return Objects.requireNonNull(lent, "not started");
  }

  /** Frees what the token holds; returns whether it did hold it. */
  abstract boolean free(LeaseKey lease);

  /** Prolongs what the token holds; returns whether it does hold it. */
  abstract boolean prolong(LeaseKey lease, long ttl);

  @Override
  protected final ReleaseResult releaseNow(LeaseKey lease) {
    return free(lease) ? ReleaseResult.RELEASED : ReleaseResult.NOT_OWNER;
  }

  @Override
  protected final RenewResult renewNow(RenewRequest request) {
    return prolong(request.key(), request.ttl().toMillis())
        ? RenewResult.RENEWED
        : RenewResult.NOT_OWNER;
  }
}
