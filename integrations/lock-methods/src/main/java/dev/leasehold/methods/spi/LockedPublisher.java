package dev.leasehold.methods.spi;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockStoreException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * A call of a {@code @Locked} method that returns one of Reactor's types: nothing happens before a
 * subscription, and each subscription is a {@link Run}. The only class that needs Reactor.
 */
final class LockedPublisher {
  private final MethodLock methodLock;
  private final MethodCall call;

  private LockedPublisher(MethodLock methodLock, MethodCall call) {
    this.methodLock = methodLock;
    this.call = call;
  }

  static Object mono(MethodLock methodLock, MethodCall call) {
    LockedPublisher locked = new LockedPublisher(methodLock, call);
    return Mono.usingWhen(
        Mono.fromSupplier(locked::run),
        run -> run.lease().flatMap(lease -> run.mono(lease)),
        Run::completed,
        Run::failed,
        Run::cancelled);
  }

  static Object flux(MethodLock methodLock, MethodCall call) {
    LockedPublisher locked = new LockedPublisher(methodLock, call);
    return Flux.usingWhen(
        Mono.fromSupplier(locked::run),
        run -> run.lease().flatMapMany(lease -> run.flux(lease)),
        Run::completed,
        Run::failed,
        Run::cancelled);
  }

  private Run run() {
    return new Run(call.again());
  }

  /**
   * One subscription. However grant, cancellation and loss interleave, a granted lease is released
   * exactly once.
   */
  private final class Run {
    private final MethodCall mine;

    /** The lease; this object once the run is over. */
    private final AtomicReference<@Nullable Object> state = new AtomicReference<>();

    private volatile @Nullable CompletableFuture<?> waiting;

    Run(MethodCall mine) {
      this.mine = mine;
    }

    Mono<Lease> lease() {
      return Mono.create(this::acquire);
    }

    private void acquire(MonoSink<Lease> sink) {
      DistributedLock lock = methodLock.lock(mine);
      waiting = methodLock.request(lock, (lease, failure) -> acquired(sink, lock, lease, failure));
      if (state.get() == this) { // cancelled before the future was known
        giveUp();
      }
    }

    private void acquired(
        MonoSink<Lease> sink,
        DistributedLock lock,
        Optional<Lease> lease,
        @Nullable Throwable failure) {
      if (failure != null) {
        sink.error(LockedStage.cause(failure));
      } else if (lease.isEmpty()) {
        Holders.tell(lock, holder -> sink.error(methodLock.late(lock, holder)));
      } else if (state.compareAndSet(null, lease.get())) {
        sink.success(lease.get());
      } else {
        lease.get().releaseAsync(); // cancelled after the lock was granted
      }
    }

    @SuppressWarnings("unchecked") // the method determines the elements' type
    Mono<Object> mono(Lease lease) {
      Publisher<Object> stream;
      try {
        stream = (Publisher<Object>) work(lease);
      } catch (Throwable failure) { // Throwable: Reactor does not signal an Error
        stream = Mono.error(failure);
      }
      return Mono.fromDirect(LeaseGuard.guarded(stream, lease, this::broken));
    }

    @SuppressWarnings("unchecked")
    Flux<Object> flux(Lease lease) {
      Publisher<Object> stream;
      try {
        stream = (Publisher<Object>) work(lease);
      } catch (Throwable failure) { // as above
        stream = Flux.error(failure);
      }
      return Flux.from(LeaseGuard.guarded(stream, lease, this::broken));
    }

    /**
     * The subscriber threw an exception that Reactor does not signal: the emitting thread sees it,
     * and the lock is released here.
     */
    private void broken(Throwable failure) {
      failed(failure).subscribe();
    }

    /** Calls the method; the lock is held. */
    private Object work(Lease lease) throws Throwable {
      Object returned = methodLock.proceed(mine, lease);
      if (returned == null) {
        throw new NullPointerException(
            MethodLock.describe(methodLock.locked().method()) + " returned null for a publisher");
      }
      return returned;
    }

    Mono<Void> completed() {
      return released(
          (lease, further) -> {
            if (further instanceof LockStoreException unconfirmed) {
              MethodLock.warn(lease, unconfirmed);
              return Mono.empty();
            }
            return Mono.error(further);
          });
    }

    Mono<Void> failed(Throwable failure) {
      return released(
          (lease, further) -> {
            if (!(further instanceof LeaseLostException && failure instanceof LeaseLostException)) {
              failure.addSuppressed(further);
            }
            return Mono.empty();
          });
    }

    Mono<Void> cancelled() {
      return released((lease, further) -> Mono.empty());
    }

    /** Releases the lease, if it was granted, or else cancels the waiting request. */
    private Mono<Void> released(BiFunction<Lease, Throwable, Mono<Void>> onFailure) {
      return Mono.defer(
          () -> {
            Object before = state.getAndSet(this);
            if (before == this) {
              return Mono.empty();
            }
            mine.ended();
            if (before instanceof Lease lease) {
              return Mono.fromCompletionStage(lease.releaseAsync())
                  .onErrorResume(further -> onFailure.apply(lease, LockedStage.cause(further)));
            }
            giveUp();
            return Mono.empty();
          });
    }

    private void giveUp() {
      CompletableFuture<?> mayWait = waiting;
      if (mayWait != null) {
        mayWait.cancel(false); // cancels the request, if it is still waiting
      }
    }
  }
}
