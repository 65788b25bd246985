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
 * A script's reply.
 *
 * @param reply a number, a list or null
 * @param doubt why the write must not count, if it must not: no replica has it
 */
record Answer(@Nullable Object reply, Optional<LockStoreException> doubt) {

  /** A reply without doubt. */
  static Answer of(@Nullable Object reply) {
    return new Answer(reply, Optional.empty());
  }

  /** Whether this is a grant that must not count. */
  boolean isInDoubt(AcquireResult result) {
    return doubt.isPresent() && result instanceof AcquireResult.Granted;
  }

  /**
   * Fails for a grant in doubt. The manager does not know whether a grant without a replica exists:
   * it releases the token or acquires with it again, and a release here would race with that. Only
   * a refused acquisition is not retried, so it is released here.
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
