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
 * The subscription to a store's one channel, and those waiting for it. It begins with the first
 * watch. After a broken connection the client subscribes again by itself, and watches that begin
 * meanwhile wait for that. Thread-safe, never blocks.
 */
public abstract class ChannelListening implements WakeChannel {
  private final KeySpace keys;
  private final byte[] counts;
  private final BiFunction<Throwable, String, LockStoreException> failures;
  private final WakeUpDispatcher wakeUps = new WakeUpDispatcher();
  private final WakeUpDispatcher recalls = new WakeUpDispatcher();
  private final ReentrantLock lock = new ReentrantLock();

  /** Completes when the channel is subscribed; replaced at each break. */
  private @Nullable CompletableFuture<Void> listening;

  private boolean closed;

  /**
   * Not subscribed yet.
   *
   * @param counts as in {@link Publishing}; must not be changed
   * @param failures makes the store's exception of the client's and a description of what failed
   */
  protected ChannelListening(
      KeySpace keys, byte[] counts, BiFunction<Throwable, String, LockStoreException> failures) {
    this.keys = keys;
    this.counts = counts;
    this.failures = failures;
  }

  /**
   * Subscribes; called for the first watch, and for the first one after a failure. Its outcome is
   * reported by {@link #confirmed} or {@link #failed}.
   */
  protected abstract void begin();

  @Override
  public final Publishing publishing(String name) {
    return keys.toStore(name, counts);
  }

  @Override
  public final CompletionStage<Watch> watch(String name, Runnable wakeUp) {
    return watch(name, wakeUps.add(name, wakeUp));
  }

  @Override
  public final CompletionStage<Watch> watchOwn(LeaseKey waiter, Runnable wakeUp) {
    return watch(waiter.name(), wakeUps.addOwn(waiter.name(), waiter.token(), wakeUp));
  }

  /** Also runs when the connection breaks, since recalls may be missed from then on. */
  @Override
  public final CompletionStage<Watch> watchRecalls(LeaseKey lease, Runnable recalled) {
    return watch(lease.name(), recalls.add(Publishing.recall(lease), recalled));
  }

  private CompletionStage<Watch> watch(String name, Watch watch) {
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
      begin();
    }
    return WakeUpDispatcher.onceListening(name, mine, watch, failures);
  }

  /** A message has arrived. */
  protected final void message(byte[] words) {
    String message = new String(words, UTF_8);
    wakeUps.wake(message);
    recalls.wake(message);
  }

  /**
   * The server has confirmed the subscription, at first or after a break. Messages in between were
   * missed, so all watches are woken.
   */
  protected final void confirmed() {
    CompletableFuture<Void> mine;
    lock.lock();
    try {
      mine = listening;
    } finally {
      lock.unlock();
    }
    // Wake first: otherwise a watch that has just completed would be woken for no reason.
    wakeUps.wakeAll();
    recalls.wakeAll();
    if (mine != null) {
      mine.complete(null);
    }
  }

  /** Whether the subscription is confirmed and has not broken since. */
  protected final boolean isConfirmed() {
    lock.lock();
    try {
      return listening != null && listening.isDone();
    } finally {
      lock.unlock();
    }
  }

  /** The connection broke and the client subscribes again: new watches wait for that. */
  protected final void broken() {
    lock.lock();
    try {
      if (!closed && listening != null && listening.isDone()) {
        listening = new CompletableFuture<>();
      }
    } finally {
      lock.unlock();
    }
    recalls.wakeAll();
  }

  /** The subscription has failed: pending watches fail, and the next one subscribes again. */
  protected final void failed(Throwable failure) {
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

  /** Fails all watches from now on, including pending ones. */
  @Override
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
