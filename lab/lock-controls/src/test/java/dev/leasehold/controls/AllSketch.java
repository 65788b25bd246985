package dev.leasehold.controls;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOwner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** Several locks at once, in the usual style; correct but for its flaw. */
class AllSketch implements DistributedLock {
  enum Flaw {
    LEAVES_SOME,
    FORGETS_AT_A_FAILURE,
    KEEPS_WHILE_WAITING,
    LOOKS_AT_THE_FIRST,
    TELLS_THE_LATEST,
    CHECKS_THE_RELEASE,
    TELLS_FOR_EACH,
    STANDS_IN_ALL_LINES,
    ONE_BY_ONE,
    COUNTS_BY_ITSELF,
    TOKEN_OF_THE_FIRST
  }

  private static final long POLL_MILLIS = 10;

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
    } catch (InterruptedException | RuntimeException e) {
      giveBack(taken);
      throw e;
    }
    return Optional.of(lease(taken));
  }

  @Override
  public Optional<Lease> tryAcquire() {
    return round(flaw != Flaw.LEAVES_SOME);
  }

  /** Asks for each lock once. */
  final Optional<Lease> round(boolean givesBack) {
    List<Lease> taken = new ArrayList<>();
    try {
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
    } catch (RuntimeException e) {
      if (flaw != Flaw.FORGETS_AT_A_FAILURE) {
        giveBack(taken);
      }
      throw e;
    }
    return Optional.of(lease(taken));
  }

  private static void giveBack(List<Lease> taken) {
    try {
      AllLeaseSketch.giveBack(taken);
    } catch (LockException lostOrUnheard) {
      // it expires
    }
  }

  private Lease lease(List<Lease> parts) {
    return new AllLeaseSketch(parts, flaw);
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
  public int holdCount() {
    return locks.stream().mapToInt(DistributedLock::holdCount).min().orElse(0);
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
