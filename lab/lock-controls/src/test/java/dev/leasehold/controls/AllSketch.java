package dev.leasehold.controls;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOwner;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;

/** Several locks at once as people write it: right but for its flaw. */
class AllSketch implements DistributedLock {
  enum Flaw {
    LEAVES_SOME,
    KEEPS_WHILE_WAITING,
    LOOKS_AT_THE_FIRST,
    TELLS_FOR_EACH,
    STANDS_IN_ALL_LINES,
    ONE_BY_ONE,
    COUNTS_BY_ITSELF
  }

  private static final long POLL_MILLIS = 10;

  private static final AtomicLong COUNT = new AtomicLong();

  private final List<DistributedLock> locks;
  private final Flaw flaw;

  AllSketch(List<DistributedLock> locks, Flaw flaw) {
    this.locks = locks;
    this.flaw = flaw;
  }

  @Override
  public Lease acquire() throws InterruptedException {
    return tryAcquire(Duration.ofHours(1)).orElseThrow();
  }

  @Override
  public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    long begun = System.nanoTime();
    if (flaw == Flaw.KEEPS_WHILE_WAITING) {
      return inTurn(wait, begun);
    }
    while (true) {
      Optional<Lease> lease = round(true);
      if (lease.isPresent() || System.nanoTime() - begun > wait.toNanos()) {
        return lease;
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS + begun % POLL_MILLIS);
    }
  }

  private Optional<Lease> inTurn(Duration wait, long begun) throws InterruptedException {
    List<Lease> taken = new ArrayList<>();
    try {
      for (DistributedLock lock : locks) {
        Duration left = wait.minusNanos(System.nanoTime() - begun);
        Optional<Lease> one = lock.tryAcquire(left.isNegative() ? Duration.ZERO : left);
        if (one.isEmpty()) {
          giveBack(taken);
          return Optional.empty();
        }
        taken.add(one.get());
      }
    } catch (InterruptedException e) {
      giveBack(taken);
      throw e;
    }
    return Optional.of(lease(taken));
  }

  @Override
  public Optional<Lease> tryAcquire() {
    return round(flaw != Flaw.LEAVES_SOME);
  }

  /** Asks once for each. */
  final Optional<Lease> round(boolean givesBack) {
    List<Lease> taken = new ArrayList<>();
    for (DistributedLock lock : locks) {
      Optional<Lease> one = lock.tryAcquire();
      if (one.isEmpty()) {
        if (givesBack) {
          giveBack(taken);
        }
        return Optional.empty();
      }
      taken.add(one.get());
    }
    return Optional.of(lease(taken));
  }

  private static void giveBack(List<Lease> taken) {
    taken.forEach(Lease::release);
  }

  private Lease lease(List<Lease> parts) {
    Lease first = parts.get(0);
    long count = COUNT.incrementAndGet();
    return (Lease)
        Proxy.newProxyInstance(
            Lease.class.getClassLoader(),
            new Class<?>[] {Lease.class},
            (proxy, method, arguments) -> {
              boolean all = flaw != Flaw.LOOKS_AT_THE_FIRST;
              switch (method.getName()) {
                case "release", "close" -> {
                  release(parts);
                  return null;
                }
                case "fencingToken" -> {
                  return flaw == Flaw.COUNTS_BY_ITSELF ? count : first.fencingToken();
                }
                case "isValid" -> {
                  return all ? parts.stream().allMatch(Lease::isValid) : first.isValid();
                }
                case "lost" -> {
                  return flaw == Flaw.TELLS_FOR_EACH
                      ? eachLoss(parts)
                      : all ? anyLoss(parts) : first.lost();
                }
                default -> {
                  try {
                    return method.invoke(first, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                }
              }
            });
  }

  /** Whoever asks to be told is told by each part. */
  private static CompletionStage<?> eachLoss(List<Lease> parts) {
    return (CompletionStage<?>)
        Proxy.newProxyInstance(
            Lease.class.getClassLoader(),
            new Class<?>[] {CompletionStage.class},
            (proxy, method, arguments) -> {
              for (Lease part : parts) {
                method.invoke(part.lost(), arguments);
              }
              return proxy;
            });
  }

  private static CompletionStage<LeaseLoss> anyLoss(List<Lease> parts) {
    var any = new java.util.concurrent.CompletableFuture<LeaseLoss>();
    parts.forEach(
        part ->
            part.lost()
                .thenAccept(
                    loss -> {
                      if (any.complete(loss)) {
                        parts.stream().filter(p -> p != part).forEach(Lease::releaseAsync);
                      }
                    }));
    return any;
  }

  private static void release(List<Lease> parts) {
    LockException failure = null;
    for (Lease part : parts) {
      try {
        part.release();
      } catch (LockException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public String name() {
    return locks.toString();
  }

  @Override
  public DistributedLock as(LockOwner owner) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Lease> acquireAsync() {
    CompletableFuture<Lease> outcome = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                outcome.complete(acquire());
              } catch (InterruptedException | RuntimeException | Error e) {
                outcome.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return outcome;
  }

  @Override
  public CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<HolderInfo> inspect() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Lock asLock() {
    throw new UnsupportedOperationException();
  }
}
