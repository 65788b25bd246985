package dev.leasehold.kotlin

import dev.leasehold.lock.LeaseLostException
import dev.leasehold.lock.LockStoreException
import dev.leasehold.memory.Call
import dev.leasehold.memory.Fault
import dev.leasehold.memory.MemoryLocks
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.cancellation.CancellationException
import kotlin.time.Duration.Companion.INFINITE
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
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
    assertNull(mine.tryWithLock(0.seconds) { "had" })
  }

  @Test
  @DisplayName("Waits for a duration of Kotlin's own, however long")
  fun kotlinDurations() = runBlocking {
    assertEquals("had", mine.tryWithLock(2.seconds) { "had" })
    val held = theirs.acquire()
    val waits = async(start = CoroutineStart.UNDISPATCHED) { mine.tryWithLock(INFINITE) { "had" } }
    held.release()
    assertEquals("had", waits.await())
  }

  @Test
  @DisplayName("Is written in the Kotlin that the page names, whatever compiler wrote it")
  fun language() {
    val written = Class.forName("dev.leasehold.kotlin.WithLockKt").getAnnotation(Metadata::class.java)
    assertEquals(listOf(2, 1, 0), written.metadataVersion.toList())
  }

  @Test
  @DisplayName("A loss cancels the block, and is reported as a loss")
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
  @DisplayName("A loss is reported also where the block did not listen")
  fun lostUnheard() = runBlocking {
    val thrown = runCatching {
      mine.withLock {
        memory.takeAway("a")
        "done"
      }
    }
    assertTrue(thrown.exceptionOrNull() is LeaseLostException, "$thrown")
  }

  /** What a block under a lock ends with: its own word, or what is thrown and what that carries. */
  private fun ended(run: () -> String): String =
      runCatching(run).fold(
          { it },
          { thrown -> "${thrown.javaClass} with ${thrown.suppressed.map { it.javaClass }}" },
      )

  @Test
  @DisplayName("What the release and the block say together is what a closed Lease says in Java")
  fun asInJava() {
    val releases =
        mapOf<String, (String) -> Unit>(
            "confirmed" to {},
            "unconfirmed" to { memory.failNext(Call.RELEASE, Fault.UNREACHABLE) },
            "lost" to { memory.takeAway(it) },
        )
    val seen = mutableListOf<String>()
    for ((how, prepare) in releases) {
      for (fails in listOf(false, true)) {
        fun block(name: String): String {
          prepare(name)
          check(!fails) { "of the block's" }
          return "done"
        }
        val java = ended { memory.manager().lock("java $how").acquire().use { block("java $how") } }
        val kotlin = ended {
          runBlocking { memory.manager().lock("kt $how").withLock { block("kt $how") } }
        }
        assertEquals(java, kotlin, "$how, block fails: $fails")
        seen.add(kotlin)
        memory.advance(Duration.ofMinutes(1)) // what was not confirmed is released by now
        assertTrue(theirsOf("kt $how").tryAcquire().map { it.release() }.isPresent, how)
      }
    }
    assertEquals(
        listOf(
            "done",
            "${IllegalStateException::class.java} with []",
            "${LockStoreException::class.java} with []",
            "${IllegalStateException::class.java} with [${LockStoreException::class.java}]",
            "${LeaseLostException::class.java} with []",
            "${IllegalStateException::class.java} with [${LeaseLostException::class.java}]",
        ),
        seen,
    )
  }

  private fun theirsOf(name: String) = memory.manager().lock(name)

  @Test
  @DisplayName("Cancelled, it stays so where the release is not confirmed")
  fun cancelledUnconfirmed() = runBlocking {
    val held = CompletableFuture<Unit>()
    val ended = CompletableFuture<Throwable?>()
    val holds =
        launch(Dispatchers.Default) {
          val work = runCatching {
            mine.withLock {
              memory.failNext(Call.RELEASE, Fault.UNREACHABLE)
              held.complete(Unit)
              awaitCancellation()
            }
          }
          ended.complete(work.exceptionOrNull())
          work.getOrThrow()
        }
    held.await()
    holds.cancelAndJoin()
    assertTrue(holds.isCancelled)
    val thrown = ended.await()
    assertTrue(thrown is CancellationException, "$thrown")
    assertEquals(listOf(LockStoreException::class.java), thrown?.suppressed?.map { it.javaClass })
    memory.advance(Duration.ofSeconds(5)) // much less than the lease
    assertTrue(theirs.tryAcquire().isPresent, "it was released again")
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
