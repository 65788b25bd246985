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
 * Waits for the lock, runs [block] under it, and gives it back, however the block ends.
 *
 * If the lease is lost, the block is cancelled, and this throws [LeaseLostException]: also if the
 * block ended all the same. If the coroutine is cancelled while it waits, its place in line is given
 * up; later, the lock is given back before the cancellation goes on.
 *
 * Each call is an owner of its own: it does not re-enter. A block that asks for the same lock waits
 * for itself.
 */
suspend fun <T> DistributedLock.withLock(block: suspend (Lease) -> T): T =
    holding(granted(acquireAsync()) { it }, block)

/**
 * As [withLock], but waits for [wait] at most.
 *
 * @return what the block returned; null if somebody else has the lock until then
 */
suspend fun <T : Any> DistributedLock.tryWithLock(
    wait: Duration,
    block: suspend (Lease) -> T,
): T? {
  val lease = granted(tryAcquireAsync(wait)) { it.orElse(null) }.orElse(null) ?: return null
  return holding(lease, block)
}

/** The longest wait there is: 292 years. */
private val LONGEST = 106_751.days

/**
 * As the other [tryWithLock], with a wait that is Kotlin's own, such as `2.seconds`. One that is
 * infinite is of 292 years, the longest there is.
 */
suspend fun <T : Any> DistributedLock.tryWithLock(
    wait: kotlin.time.Duration,
    block: suspend (Lease) -> T,
): T? = tryWithLock(wait.coerceAtMost(LONGEST).toJavaDuration(), block)

/** What a stage brings; what comes for a coroutine that is cancelled is given back. */
private suspend fun <A : Any> granted(asked: CompletionStage<A>, lease: (A) -> Lease?): A =
    try {
      asked.await()
    } catch (cancelled: CancellationException) {
      // The grant may have come before it: nobody else would give it back.
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
  // By the loss, and not from outside: nobody may take it for a coroutine that was to end.
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
