package dev.leasehold.lock.internal;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockOptions;
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
final class AllLeases implements Lease {
  private final String name;
  private final List<Lease> parts;
  private final OptionalLong token;
  private final AtomicBoolean released = new AtomicBoolean();
  private final CompletableFuture<LeaseLoss> lost = new CompletableFuture<>();

  private AllLeases(String name, List<Lease> parts, OptionalLong token) {
    this.name = name;
    this.parts = parts;
    this.token = token;
  }

  /**
   * Of these leases.
   *
   * @param inOneStep whether one store gave them, which draws one token for what it gives together
   */
  static Lease of(String name, List<Lease> parts, boolean inOneStep) {
    OptionalLong token = inOneStep ? commonToken(parts) : OptionalLong.empty();
    AllLeases all = new AllLeases(name, parts, token);
    parts.forEach(part -> part.lost().thenAccept(all::lose));
    return all;
  }

  /** Empty if there is none: one that was held before has a token of its own. */
  private static OptionalLong commonToken(List<Lease> parts) {
    List<OptionalLong> tokens =
        parts.stream()
            .map(part -> part instanceof LeaseHandle h ? h.token() : OptionalLong.empty())
            .distinct()
            .toList();
    return tokens.size() == 1 ? tokens.get(0) : OptionalLong.empty();
  }

  /** The first loss is that of all; what is left is renewed no more, and freed at the release. */
  private void lose(LeaseLoss loss) {
    if (!released.get() && lost.complete(loss)) {
      for (Lease part : parts) {
        if (part instanceof LeaseHandle handle) {
          handle.letExpire();
        }
      }
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
                "leases of several locks that were taken one after another, or of which one was"
                    + " held before, have a token each: see parts()"));
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
    return lost.minimalCompletionStage();
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
              LockKind.LOCK, name, LeaseLoss.Reason.NOT_OWNER, "this handle was released before"));
    }
  }

  @Override
  public void release() {
    if (released.compareAndSet(false, true)) {
      Waits.join(settled(parts.stream().map(AllLeases::giveBack).toList()));
    }
  }

  /** Of a round that did not get all: no minimum hold is kept by it. */
  static CompletableFuture<Void> giveBackUnused(Lease part) {
    return part instanceof LeaseHandle handle ? handle.giveBackUnused() : giveBack(part);
  }

  /** Without the manager's executor, which may be busy; all parts are asked before one answers. */
  private static CompletableFuture<Void> giveBack(Lease part) {
    if (part instanceof LeaseHandle handle) {
      return handle.giveBack();
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
    return released.compareAndSet(false, true)
        ? settled(parts.stream().map(p -> p.releaseAsync().toCompletableFuture()).toList())
        : CompletableFuture.completedFuture(null);
  }

  /** When all have ended; fails with a loss, if there is one, else with what failed. */
  private static CompletableFuture<Void> settled(List<CompletableFuture<Void>> releases) {
    CompletableFuture<Void> all = new CompletableFuture<>();
    CompletableFuture.allOf(releases.toArray(CompletableFuture<?>[]::new))
        .whenComplete(
            (done, failed) -> {
              Throwable failure = worst(releases);
              if (failure == null) {
                all.complete(null);
              } else {
                all.completeExceptionally(failure);
              }
            });
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
