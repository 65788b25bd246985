package dev.leasehold.kotlin

import dev.leasehold.lock.LeaseLostException
import dev.leasehold.memory.MemoryLocks
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DisplayName
import org.junit.jupiter.api.Test

@DisplayName("A block of a coroutine under a lock")
class WithLockTest {
  private val memory = MemoryLocks.inManualTime()
  private val mine = memory.manager().lock("a")
  private val theirs = memory.manager().lock("a")

  @AfterEach fun close() = memory.close()

  @Test
  @DisplayName("Holds it, and gives it back when the block ends or throws")
  fun holds() = runBlocking {
    val token =
        mine.withLock { lease ->
          assertTrue(theirs.tryAcquire().isEmpty)
          lease.fencingToken()
        }
    theirs.withLock { assertTrue(it.fencingToken() > token) }
    val thrown = runCatching { mine.withLock { error("of the block's") } }
    assertEquals("of the block's", thrown.exceptionOrNull()?.message)
    assertEquals("had", theirs.tryWithLock(Duration.ZERO) { "had" })
  }

  @Test
  @DisplayName("Null means contended")
  fun contended() = runBlocking {
    theirs.tryAcquire().orElseThrow()
    assertNull(mine.tryWithLock(Duration.ZERO) { "had" })
  }

  @Test
  @DisplayName("A loss cancels the block, and is told as a loss")
  fun lost() = runBlocking {
    val held = CompletableFuture<Unit>()
    val work =
        async(Dispatchers.Default + Job()) {
          mine.withLock {
            held.complete(Unit)
            awaitCancellation()
          }
        }
    held.await()
    memory.takeAway("a")
    memory.advance(Duration.ofSeconds(10))
    val thrown = runCatching { work.await() }.exceptionOrNull()
    assertTrue(thrown is LeaseLostException, "$thrown")
  }

  @Test
  @DisplayName("A loss is told also where the block did not listen")
  fun lostUnheard() = runBlocking {
    val thrown = runCatching {
      mine.withLock {
        memory.takeAway("a")
        "done"
      }
    }
    assertTrue(thrown.exceptionOrNull() is LeaseLostException, "$thrown")
  }

  @Test
  @DisplayName("Cancelled while it waits, it gives its place up; while it holds, the lock")
  fun cancelled() = runBlocking {
    val lease = theirs.tryAcquire().orElseThrow()
    val waits = launch(Dispatchers.Default) { mine.withLock {} }
    memory.awaitWaiting("a", 1)
    waits.cancelAndJoin()
    memory.awaitWaiting("a", 0)
    lease.release()
    val held = CompletableFuture<Unit>()
    val holds =
        launch(Dispatchers.Default) {
          mine.withLock {
            held.complete(Unit)
            awaitCancellation()
          }
        }
    held.await()
    assertTrue(theirs.tryAcquire().isEmpty)
    holds.cancelAndJoin()
    assertTrue(theirs.tryAcquire().isPresent)
  }

  @Test
  @DisplayName("A grant that comes for a coroutine that is cancelled is given back")
  fun grantedTooLate() {
    val tasks = ConcurrentLinkedQueue<Runnable>()
    val byHand =
        object : CoroutineDispatcher() {
          override fun dispatch(context: CoroutineContext, block: Runnable) {
            tasks.add(block)
          }
        }
    val lease = theirs.tryAcquire().orElseThrow()
    val waits = CoroutineScope(byHand).launch { mine.withLock { error("it was cancelled") } }
    tasks.remove().run()
    memory.awaitWaiting("a", 1)
    lease.release() // granted to it, and its coroutine has not gone on
    memory.advance(Duration.ZERO)
    waits.cancel()
    while (tasks.isNotEmpty()) {
      tasks.remove().run()
    }
    memory.advance(Duration.ofSeconds(1))
    assertTrue(waits.isCancelled)
    assertTrue(theirs.tryAcquire().isPresent)
  }
}
