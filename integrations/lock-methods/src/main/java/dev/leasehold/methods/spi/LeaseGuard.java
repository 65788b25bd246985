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
 * Forwards a stream while a lease lasts; when the lease is lost, cancels the stream and fails.
 * Reactor's {@code takeUntilOther} would fail but leave the stream running.
 *
 * <p>Reactor throws an {@code Error} that it considers fatal, without signalling it. An {@code
 * Error} thrown through this class is reported, so that the lease is released. One thrown by a
 * stream on a thread of its own cannot be seen here.
 */
final class LeaseGuard<T> implements CoreSubscriber<T>, Subscription {
  /** Serialized: a loss may be signalled by another thread during an element. */
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
   * A stream that ends with the lease.
   *
   * @param giveBack releases the lease if the subscriber throws, since a broken subscriber cannot
   *     be signalled
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

  /**
   * Signals an exception thrown by the stream; false if it came from the subscriber or if the
   * stream has already ended.
   */
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
      // Also after a loss: its signal is queued behind this element and will not be delivered.
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
