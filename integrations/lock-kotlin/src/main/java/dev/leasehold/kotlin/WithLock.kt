package dev.leasehold.kotlin

import dev.leasehold.lock.DistributedLock
import dev.leasehold.lock.Lease
import dev.leasehold.lock.LeaseLostException
import java.time.Duration
import java.util.concurrent.CompletionStage
import kotlin.coroutines.cancellation.CancellationException
import kotlin.time.Duration.Companion.days
import kotlin.time.toJavaDuration
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.future.await
import kotlinx.coroutines.isActive
import kotlinx.coroutines.withContext

/**
 * Waits for the lock, runs [block] under it, and releases it, however the block ends.
 *
 * If the lease is lost, the block is cancelled, and this throws [LeaseLostException], even if the
 * block completed. A coroutine that is cancelled while it waits leaves the queue; one that is
 * cancelled later releases the lock before the cancellation continues.
 *
 * Each call is a separate owner: it does not re-enter. A block that requests the same lock again
 * waits for itself.
 */
suspend fun <T> DistributedLock.withLock(block: suspend (Lease) -> T): T =
    holding(granted(acquireAsync()) { it }, block)

/**
 * As [withLock], but waits for [wait] at most.
 *
 * @return what the block returned; null if another owner has the lock for that long
 */
suspend fun <T : Any> DistributedLock.tryWithLock(
    wait: Duration,
    block: suspend (Lease) -> T,
): T? {
  val lease = granted(tryAcquireAsync(wait)) { it.orElse(null) }.orElse(null) ?: return null
  return holding(lease, block)
}

/** The longest possible wait: 292 years. */
private val LONGEST = 106_751.days

/**
 * As the other [tryWithLock], with a Kotlin duration, such as `2.seconds`. An infinite wait becomes
 * 292 years, the maximum.
 */
suspend fun <T : Any> DistributedLock.tryWithLock(
    wait: kotlin.time.Duration,
    block: suspend (Lease) -> T,
): T? = tryWithLock(wait.coerceAtMost(LONGEST).toJavaDuration(), block)

/** The result of a stage; if the coroutine is cancelled, a grant that still arrives is released. */
private suspend fun <A : Any> granted(asked: CompletionStage<A>, lease: (A) -> Lease?): A =
    try {
      asked.await()
    } catch (cancelled: CancellationException) {
      // The grant may have arrived before the cancellation: it would never be released otherwise.
      asked.thenAccept { answer -> lease(answer)?.releaseAsync() }
      throw cancelled
    }

private suspend fun <T> holding(lease: Lease, block: suspend (Lease) -> T): T {
  val done = runCatching {
    coroutineScope {
      lease.lost().thenAccept { loss -> cancel("the lease was lost: $loss") }
      block(lease)
    }
  }
  val released =
      withContext(NonCancellable) { runCatching { lease.releaseAsync().await() } }.exceptionOrNull()
  val failed = done.exceptionOrNull()
  // Cancelled by the loss: must not be mistaken for a cancellation of the calling coroutine.
  val byLoss = failed is CancellationException && currentCoroutineContext().isActive
  if (released is LeaseLostException && (failed == null || byLoss)) {
    failed?.let(released::addSuppressed)
    throw released
  }
  if (failed != null) {
    released?.let(failed::addSuppressed)
    throw failed
  }
  released?.let { throw it }
  return done.getOrThrow()
}
