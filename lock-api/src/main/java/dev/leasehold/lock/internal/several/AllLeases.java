package dev.leasehold.lock.internal.several;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.calls.LockNames;
import dev.leasehold.lock.internal.calls.ReleaseStrategy;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.handle.LossFuture;
import dev.leasehold.lock.internal.threads.Waits;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Leases of several locks as one: valid while all are, and lost when the first is. */
public final class AllLeases implements Lease {
  private final String name;
  private final List<Lease> parts;
  private final OptionalLong token;
  private final @Nullable CombinedNames combined;
  private final AtomicBoolean released = new AtomicBoolean();
  private final AtomicBoolean losing = new AtomicBoolean();
  private final LossFuture lost = new LossFuture();

  private AllLeases(
      String name, List<Lease> parts, OptionalLong token, @Nullable CombinedNames combined) {
    this.name = name;
    this.parts = parts;
    this.token = token;
    this.combined = combined;
  }

  /**
   * Combines these leases.
   *
   * @param combined the names, if one store granted them in one step, with one token for all; null
   *     if they were acquired one after another
   */
  public static Lease of(String name, List<Lease> parts, @Nullable CombinedNames combined) {
    OptionalLong token = combined == null ? OptionalLong.empty() : commonToken(parts);
    AllLeases all = new AllLeases(name, parts, token, combined);
    parts.forEach(part -> lossOf(part).thenAccept(all::lose));
    return all;
  }

  /** Without the stage that an application gets, which is a proxy. */
  private static CompletionStage<LeaseLoss> lossOf(Lease part) {
    return part instanceof LeaseHandle handle ? handle.loss() : part.lost();
  }

  /** Returns their common token; empty if a lease that was held before has its own. */
  private static OptionalLong commonToken(List<Lease> parts) {
    OptionalLong first = tokenOf(parts.get(0));
    for (Lease part : parts) {
      if (!tokenOf(part).equals(first)) {
        return OptionalLong.empty();
      }
    }
    return first;
  }

  private static OptionalLong tokenOf(Lease part) {
    return part instanceof LeaseHandle handle ? handle.token() : OptionalLong.empty();
  }

  /**
   * The first loss is the loss of all, even if only the release detects it; the others are no
   * longer renewed, and are freed at the release.
   */
  private void lose(LeaseLoss loss) {
    if (losing.compareAndSet(false, true)) {
      for (Lease part : parts) {
        if (part instanceof LeaseHandle handle) {
          handle.letExpire();
        }
      }
      lost.signal(loss); // last, since dependents may block
    }
  }

  @Override
  public List<Lease> parts() {
    return parts;
  }

  @Override
  public String lockName() {
    return name;
  }

  @Override
  public long fencingToken() {
    if (parts.size() == 1) {
      return parts.get(0).fencingToken(); // whatever it is a lease of
    }
    return token.orElseThrow(
        () ->
            new UnsupportedOperationException(
                "leases of several locks that were acquired one after another, or of which one was"
                    + " already held, have a token each: see parts()"));
  }

  @Override
  public Duration remaining() {
    if (!isValid()) {
      return Duration.ZERO;
    }
    return parts.stream().map(Lease::remaining).min(Duration::compareTo).orElse(Duration.ZERO);
  }

  @Override
  public boolean isValid() {
    return !released.get() && !lost.isDone() && parts.stream().allMatch(Lease::isValid);
  }

  @Override
  public int holdCount() {
    return isValid() ? parts.stream().mapToInt(Lease::holdCount).min().orElse(0) : 0;
  }

  @Override
  public boolean extend(Duration lease) {
    LockNames.checkRange("lease", lease, Duration.ofNanos(1), LockOptions.LONGEST_LEASE);
    return isValid() && parts.stream().allMatch(part -> part.extend(lease)) && isValid();
  }

  @Override
  public CompletionStage<LeaseLoss> lost() {
    return lost;
  }

  @Override
  public void ensureValid() {
    parts.forEach(Lease::ensureValid);
    LeaseLoss loss = lost.getNow(null);
    if (loss != null) {
      throw new LeaseLostException(loss);
    }
    if (released.get()) {
      throw new LeaseLostException(
          new LeaseLoss(
              LockKind.LOCK,
              name,
              LeaseLoss.Reason.NOT_OWNER,
              "this handle was used after its release"));
    }
  }

  @Override
  public void release() {
    if (released.compareAndSet(false, true)) {
      CombinedNames all = combined;
      CompletableFuture<Void> end =
          all == null
              ? settled(parts.stream().map(part -> giveBack(part, null)).toList())
              : all.callers().releasing(caller -> settled(all.giveBack(parts, caller)));
      Waits.join(end);
    }
  }

  /** Returns whether others are known to have held one during the wait. */
  public static boolean wasOthers(Lease part) {
    return part instanceof AllLeases all
        ? all.parts.stream().anyMatch(AllLeases::wasOthers)
        : part instanceof LeaseHandle handle && handle.entry().afterOthers;
  }

  /** Of a round that did not get all: no minimum hold is kept by it. */
  public static CompletableFuture<Void> giveBackUnused(Lease part) {
    if (part instanceof AllLeases all) {
      return settled(all.parts.stream().map(AllLeases::giveBackUnused).toList());
    }
    return part instanceof LeaseHandle handle ? handle.giveBackUnused() : giveBack(part, null);
  }

  /**
   * Not by the manager's executor, which may be busy; all parts are sent before one answers. With a
   * release strategy if there is one.
   */
  static CompletableFuture<Void> giveBack(Lease part, @Nullable ReleaseStrategy strategy) {
    if (part instanceof LeaseHandle handle) {
      return handle.giveBack(strategy);
    }
    try {
      part.release();
      return CompletableFuture.completedFuture(null);
    } catch (RuntimeException | Error e) { // of a lock of the user's own, say
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public CompletionStage<Void> releaseAsync() {
    if (!released.compareAndSet(false, true)) {
      return CompletableFuture.completedFuture(null);
    }
    CombinedNames all = combined;
    return all == null
        ? settled(parts.stream().map(p -> p.releaseAsync().toCompletableFuture()).toList())
        : all.onExecutor(settled(all.giveBack(parts, null)));
  }

  /** Completes when all have ended; fails with a loss if there is one, else with a failure. */
  private static CompletableFuture<Void> settled(List<CompletableFuture<Void>> releases) {
    CompletableFuture<Void> all = new CompletableFuture<>();
    CompletableFuture.allOf(releases.toArray(CompletableFuture<?>[]::new))
        .whenComplete(
            (done, failed) -> Waits.complete(all, null, failed == null ? null : worst(releases)));
    return all;
  }

  private static @Nullable Throwable worst(List<CompletableFuture<Void>> releases) {
    List<LockException> failures =
        releases.stream()
            .<@Nullable Throwable>map(release -> release.handle((v, e) -> e).join())
            .filter(Objects::nonNull)
            .map(e -> StoreCalls.typed(Objects.requireNonNull(e)))
            .toList();
    return failures.stream()
        .filter(LeaseLostException.class::isInstance)
        .findFirst()
        .orElse(failures.isEmpty() ? null : failures.get(0));
  }

  @Override
  public String toString() {
    return "Lease["
        + Quoted.name(name)
        + ", "
        + (isValid() ? Setting.written(remaining()) + " left" : "not valid")
        + "]";
  }
}
