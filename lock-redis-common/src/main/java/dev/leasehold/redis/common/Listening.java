package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whether a store's one channel is listened to, and who waits for it. It begins with the first
 * watch; after a break the client listens anew by itself, and watches that come meanwhile wait for
 * that. Thread-safe, never blocks.
 */
public final class Listening {
  private final BiFunction<Throwable, String, LockStoreException> failures;
  private final WakeUps wakeUps = new WakeUps();
  private final ReentrantLock lock = new ReentrantLock();

  /** Completes when the channel is listened to; a new one from each break to the next success. */
  private @Nullable CompletableFuture<Void> listening;

  private boolean closed;

  /**
   * Nobody listens yet.
   *
   * @param failures makes the store's exception of the client's, and of what was tried
   */
  public Listening(BiFunction<Throwable, String, LockStoreException> failures) {
    this.failures = failures;
  }

  /**
   * Calls {@code wakeUp} at each message for the name. The stage completes when the channel is
   * listened to.
   *
   * @param begin has the client listen; called for the first watch, and for the first after a
   *     failure. Its outcome is told by {@link #confirmed} or {@link #failed}
   */
  public CompletionStage<Watch> watch(String name, Runnable wakeUp, Runnable begin) {
    return watch(name, wakeUps.add(name, wakeUp), begin);
  }

  /**
   * The same on behalf of one of several waiters for a name, each of which is told by its token.
   */
  public CompletionStage<Watch> watchOwn(LeaseKey waiter, Runnable wakeUp, Runnable begin) {
    return watch(waiter.name(), wakeUps.addOwn(waiter.name(), waiter.token(), wakeUp), begin);
  }

  private CompletionStage<Watch> watch(String name, Watch watch, Runnable begin) {
    CompletableFuture<Void> mine;
    boolean begins = false;
    lock.lock();
    try {
      if (closed) {
        mine = CompletableFuture.failedFuture(new IllegalStateException("closed"));
      } else if (listening != null) {
        mine = listening;
      } else {
        mine = new CompletableFuture<>();
        listening = mine;
        begins = true;
      }
    } finally {
      lock.unlock();
    }
    if (begins) {
      begin.run();
    }
    return WakeUps.onceListening(name, mine, watch, failures);
  }

  /** A message came. */
  public void message(byte[] words) {
    wakeUps.wake(new String(words, UTF_8));
  }

  /** The server confirms, at first and after each break: messages in between were missed. */
  public void confirmed() {
    CompletableFuture<Void> mine;
    lock.lock();
    try {
      mine = listening;
    } finally {
      lock.unlock();
    }
    // First the wake-ups, so that a watch that is complete is woken only for a reason.
    wakeUps.wakeAll();
    if (mine != null) {
      mine.complete(null);
    }
  }

  /** Whether the server has confirmed, and it has not broken since. */
  public boolean isConfirmed() {
    lock.lock();
    try {
      return listening != null && listening.isDone();
    } finally {
      lock.unlock();
    }
  }

  /** What was listened on broke, and the client listens anew: watches wait for that. */
  public void broken() {
    lock.lock();
    try {
      if (!closed && listening != null && listening.isDone()) {
        listening = new CompletableFuture<>();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Nobody listens any more: who waits is told, and the next watch begins anew. */
  public void failed(Throwable failure) {
    CompletableFuture<Void> mine;
    lock.lock();
    try {
      mine = listening;
      listening = null;
    } finally {
      lock.unlock();
    }
    if (mine != null) {
      mine.completeExceptionally(failure);
    }
  }

  /** Watches fail from now on, those that wait too. */
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    failed(new IllegalStateException("closed"));
  }
}
