package dev.leasehold.methods.spi;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Passes a stream on while a lease lasts; when it is lost, cancels the stream and fails. Reactor's
 * {@code takeUntilOther} would fail and let the stream run on.
 */
final class LeaseGuard<T> implements CoreSubscriber<T>, Subscription {
  /** Bears a loss beside an element, which come by threads of their own. */
  private final CoreSubscriber<? super T> actual;

  private final Lease lease;
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile @Nullable Subscription upstream;

  private LeaseGuard(CoreSubscriber<? super T> actual, Lease lease) {
    this.actual = Operators.serialize(actual);
    this.lease = lease;
  }

  /** What makes of a stream one that ends with the lease. */
  static <T> Function<? super Publisher<T>, ? extends Publisher<T>> of(Lease lease) {
    return Operators.<T, T>lift((upstream, actual) -> new LeaseGuard<T>(actual, lease));
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    upstream = subscription;
    actual.onSubscribe(this);
    lease.lost().thenAccept(this::lost);
  }

  private void lost(LeaseLoss how) {
    if (over.compareAndSet(false, true)) {
      cancel();
      actual.onError(new LeaseLostException(how));
    }
  }

  @Override
  public void onNext(T element) {
    actual.onNext(element);
  }

  @Override
  public void onError(Throwable failure) {
    if (over.compareAndSet(false, true)) {
      actual.onError(failure);
    }
  }

  @Override
  public void onComplete() {
    if (over.compareAndSet(false, true)) {
      actual.onComplete();
    }
  }

  @Override
  public void request(long n) {
    Subscription subscription = upstream;
    if (subscription != null) {
      subscription.request(n);
    }
  }

  @Override
  public void cancel() {
    Subscription subscription = upstream;
    if (subscription != null) {
      subscription.cancel();
    }
  }

  @Override
  public Context currentContext() {
    return actual.currentContext();
  }
}
