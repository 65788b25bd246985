package dev.leasehold.redisson;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a script answered.
 *
 * @param doubt why what it wrote must not count, if it must not: no replica has it
 */
record Answer<R extends @Nullable Object>(R reply, Optional<LockStoreException> doubt) {

  /** What counts as it stands. */
  static <R extends @Nullable Object> Answer<R> of(R reply) {
    return new Answer<>(reply, Optional.empty());
  }

  /** Whether this is a grant that must not count. */
  boolean isInDoubt(AcquireResult result) {
    return doubt.isPresent() && result instanceof AcquireResult.Granted;
  }

  /**
   * Fails as a grant in doubt. What no replica has may be granted or not, as far as the manager
   * knows: it releases the token, or asks with it again, and to free it here would race with that.
   * Only who is refused is not asked again by anybody.
   */
  CompletionStage<AcquireResult> withdrawn(Supplier<? extends CompletionStage<?>> release) {
    LockStoreException why = doubt.orElseThrow();
    CompletionStage<?> before =
        why.kind() == Kind.REFUSED ? release.get() : CompletableFuture.completedFuture(why);
    CompletableFuture<AcquireResult> failed = new CompletableFuture<>();
    before.whenComplete((done, ignored) -> failed.completeExceptionally(why));
    return failed;
  }
}
