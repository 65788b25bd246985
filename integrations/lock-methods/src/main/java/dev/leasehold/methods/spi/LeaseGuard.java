package dev.leasehold.methods.spi;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Passes a stream on while a lease lasts; when it is lost, cancels the stream and fails. Reactor's
 * {@code takeUntilOther} would fail and let the stream run on.
 *
 * <p>An {@code Error} that Reactor takes for fatal it throws, and tells nobody of: what comes
 * through here is told, so that the lease is given back. What a stream throws on a thread of its
 * own does not come through here.
 */
final class LeaseGuard<T> implements CoreSubscriber<T>, Subscription {
  /** Bears a loss beside an element, which come by threads of their own. */
  private final CoreSubscriber<? super T> actual;

  private final Lease lease;
  private final Consumer<Throwable> giveBack;
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile @Nullable Subscription upstream;

  private LeaseGuard(CoreSubscriber<? super T> actual, Lease lease, Consumer<Throwable> giveBack) {
    this.actual = Operators.serialize(actual);
    this.lease = lease;
    this.giveBack = giveBack;
  }

  /**
   * Makes of a stream one that ends with the lease.
   *
   * @param giveBack gives the lease back where the subscriber throws, who can be told of nothing
   */
  static <T> Publisher<T> guarded(Publisher<T> stream, Lease lease, Consumer<Throwable> giveBack) {
    return subscriber -> {
      LeaseGuard<T> guard =
          new LeaseGuard<>(Operators.toCoreSubscriber(subscriber), lease, giveBack);
      try {
        stream.subscribe(guard);
      } catch (RuntimeException | Error failure) {
        if (!guard.tells(failure)) {
          throw failure;
        }
      }
    };
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

  /** Tells what the stream threw; false if it was its subscriber, or is told already. */
  private boolean tells(Throwable failure) {
    if (!over.compareAndSet(false, true)) {
      return false;
    }
    if (upstream == null) {
      Operators.error(actual, failure);
    } else {
      cancel();
      actual.onError(failure);
    }
    return true;
  }

  @Override
  public void onNext(T element) {
    try {
      actual.onNext(element);
    } catch (RuntimeException | Error failure) {
      // Also after a loss: it is behind this element, and nobody is told of it any more.
      over.set(true);
      cancel();
      giveBack.accept(failure);
      throw failure;
    }
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
      try {
        subscription.request(n);
      } catch (RuntimeException | Error failure) {
        if (!tells(failure)) {
          throw failure;
        }
      }
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
