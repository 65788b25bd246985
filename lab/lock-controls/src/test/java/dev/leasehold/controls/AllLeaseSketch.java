package dev.leasehold.controls;

import dev.leasehold.controls.AllSketch.Flaw;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** The lease of an {@link AllSketch}: correct but for its flaw. */
final class AllLeaseSketch implements Lease {
  private static final AtomicLong COUNT = new AtomicLong();

  private final List<Lease> parts;
  private final Flaw flaw;

  /** The parts that are checked on behalf of all. */
  private final List<Lease> seen;

  private final long count = COUNT.incrementAndGet();
  private final CompletableFuture<LeaseLoss> lost = new CompletableFuture<>();
  private volatile boolean released;

  AllLeaseSketch(List<Lease> parts, Flaw flaw) {
    this.parts = List.copyOf(parts);
    this.flaw = flaw;
    this.seen = flaw == Flaw.LOOKS_AT_THE_FIRST ? parts.subList(0, 1) : this.parts;
    if (flaw != Flaw.TELLS_FOR_EACH) {
      seen.forEach(part -> part.lost().thenAccept(loss -> lose(part, loss)));
    }
  }

  /** The other parts need no renewal any more: they are released at once. */
  private void lose(Lease part, LeaseLoss loss) {
    if (lost.complete(loss)) {
      parts.stream().filter(other -> other != part).forEach(Lease::releaseAsync);
    }
  }

  @Override
  public String lockName() {
    return parts.get(0).lockName();
  }

  @Override
  public List<Lease> parts() {
    return parts;
  }

  @Override
  public long fencingToken() {
    if (flaw == Flaw.COUNTS_BY_ITSELF) {
      return count;
    }
    if (parts.size() > 1 && flaw != Flaw.TOKEN_OF_THE_FIRST) {
      throw new UnsupportedOperationException("each part has its own");
    }
    return parts.get(0).fencingToken();
  }

  @Override
  public Duration remaining() {
    var left =
        isValid() ? seen.stream().map(Lease::remaining).sorted().toList() : List.of(Duration.ZERO);
    return left.get(flaw == Flaw.TELLS_THE_LATEST ? left.size() - 1 : 0);
  }

  @Override
  public boolean isValid() {
    return !released && !lost.isDone() && seen.stream().allMatch(Lease::isValid);
  }

  @Override
  public int holdCount() {
    return isValid() ? seen.stream().mapToInt(Lease::holdCount).min().orElse(0) : 0;
  }

  @Override
  public boolean extend(Duration lease) {
    return isValid() && seen.stream().allMatch(part -> part.extend(lease));
  }

  @Override
  public CompletionStage<LeaseLoss> lost() {
    return flaw == Flaw.TELLS_FOR_EACH ? eachLoss() : lost;
  }

  /** A listener is notified once by each part. */
  @SuppressWarnings("unchecked")
  private CompletionStage<LeaseLoss> eachLoss() {
    return (CompletionStage<LeaseLoss>)
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

  @Override
  public void ensureValid() {
    if (flaw == Flaw.CHECKS_THE_RELEASE ? released : !isValid()) {
      throw new LeaseLostException(
          lost.getNow(
              new LeaseLoss(LockKind.LOCK, lockName(), LeaseLoss.Reason.NOT_OWNER, "it is over")));
    }
  }

  @Override
  public void release() {
    released = true;
    giveBack(parts);
  }

  @Override
  public CompletionStage<Void> releaseAsync() {
    throw new UnsupportedOperationException();
  }

  /** Releases all parts, even if some releases fail. */
  static void giveBack(List<Lease> parts) {
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
}
