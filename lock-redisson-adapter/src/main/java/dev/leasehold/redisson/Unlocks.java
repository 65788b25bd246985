package dev.leasehold.redisson;

import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Watch;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.redisson.PubSubEntry;
import org.redisson.RedissonCountDownLatchEntry;
import org.redisson.RedissonLockEntry;
import org.redisson.command.CommandAsyncExecutor;
import org.redisson.pubsub.CountDownLatchPubSub;
import org.redisson.pubsub.LockPubSub;
import org.redisson.pubsub.PublishSubscribeService;
import org.redisson.pubsub.SemaphorePubSub;

/**
 * Subscribes to the messages that Redisson's locks publish when they are unlocked, through
 * Redisson's own register of listeners: with a separate one, our subscription would end with that
 * of the client's last plain {@code RLock} that waits for the name. Thread-safe.
 */
final class Unlocks implements AutoCloseable {
  private final CommandAsyncExecutor executor;
  private final Channels<RedissonLockEntry> locks;
  private final Channels<RedissonLockEntry> semaphores;
  private final Channels<RedissonCountDownLatchEntry> latches;
  private final Executor threads;
  private final Set<Listening> all = ConcurrentHashMap.newKeySet();

  Unlocks(CommandAsyncExecutor executor, ConnectionLosses connections) {
    this.executor = executor;
    PublishSubscribeService service = executor.getConnectionManager().getSubscribeService();
    LockPubSub ofLocks = service.getLockPubSub();
    SemaphorePubSub ofSemaphores = service.getSemaphorePubSub();
    CountDownLatchPubSub ofLatches = service.getCountDownLatchPubSub();
    this.locks =
        new Channels<>(
            ofLocks::subscribe,
            ofLocks::unsubscribe,
            ofLocks::timeout,
            RedissonLockEntry::addListener,
            RedissonLockEntry::removeListener);
    this.semaphores =
        new Channels<>(
            ofSemaphores::subscribe,
            ofSemaphores::unsubscribe,
            ofSemaphores::timeout,
            RedissonLockEntry::addListener,
            RedissonLockEntry::removeListener);
    this.latches =
        new Channels<>(
            ofLatches::subscribe,
            ofLatches::unsubscribe,
            ofLatches::timeout,
            RedissonCountDownLatchEntry::addListener,
            RedissonCountDownLatchEntry::removeListener);
    // Not the client's executor: an application's may run tasks in the caller.
    this.threads = executor.getServiceManager().getGroup();
    connections.onAgain(this::wakeAll);
  }

  /** Redisson's register of listeners for one kind; its own type is not accessible. */
  private record Channels<E extends PubSubEntry<E>>(
      BiFunction<String, String, CompletableFuture<E>> subscribe,
      Unsubscribe<E> unsubscribe,
      Consumer<CompletableFuture<?>> timeout,
      BiConsumer<E, Runnable> add,
      BiConsumer<E, Runnable> remove) {}

  private interface Unsubscribe<E> {
    void from(E entry, String entryName, String channel);
  }

  /** {@code PUBLISH}, or {@code SPUBLISH} where Redisson subscribes to shards. */
  String publishCommand() {
    return executor.getConnectionManager().getSubscribeService().getPublishCommand();
  }

  /** Uses the channel of plain locks of this name. */
  CompletionStage<Watch> watch(Keys keys, Runnable wakeUp) {
    return watch(locks, keys.name(), entry(keys), keys.channel(), Runnable::run, wakeUp);
  }

  /**
   * Uses the channel of plain read/write locks of this name. On an unlock Redisson runs listeners
   * until none is left, so a listener may be added again only after that, in a task of its own.
   */
  CompletionStage<Watch> watchSides(Keys keys, Runnable wakeUp) {
    return watch(locks, keys.name(), entry(keys), keys.sidesChannel(), threads, wakeUp);
  }

  private String entry(Keys keys) {
    return executor.getServiceManager().getId() + ":" + keys.raw();
  }

  /** Uses the channel of one waiter of a fair lock. */
  CompletionStage<Watch> watchOwn(Keys keys, String token, Runnable wakeUp) {
    String channel = keys.channel() + ":" + token;
    return watch(locks, keys.name(), "leasehold:" + channel, channel, Runnable::run, wakeUp);
  }

  /** Uses the channel of plain semaphores of this name. */
  CompletionStage<Watch> watchPermits(Keys keys, Runnable wakeUp) {
    return watch(semaphores, keys.name(), keys.lock(), keys.permitChannel(), Runnable::run, wakeUp);
  }

  /** Uses the channel of plain latches of this name, whose listeners are run in the same way. */
  CompletionStage<Watch> watchLatch(Keys keys, Runnable wakeUp) {
    String entry = executor.getServiceManager().getId() + keys.lock();
    return watch(latches, keys.name(), entry, keys.latchChannel(), threads, wakeUp);
  }

  private <E extends PubSubEntry<E>> CompletionStage<Watch> watch(
      Channels<E> kind,
      String lockName,
      String entryName,
      String channel,
      Executor thread,
      Runnable wakeUp) {
    CompletableFuture<Watch> result = new CompletableFuture<>();
    // Not cancelled with the result: other watches may share it.
    CompletableFuture<E> subscribed = kind.subscribe().apply(entryName, channel);
    kind.timeout().accept(subscribed);
    subscribed.whenComplete(
        (entry, failure) -> {
          if (failure != null) {
            String what = "Could not listen for wake-ups of " + Quoted.name(lockName);
            result.completeExceptionally(RedissonFailures.of(failure, what));
            return;
          }
          Listening listening =
              new Listening(
                  listener -> kind.add().accept(entry, listener),
                  listener -> kind.remove().accept(entry, listener),
                  () -> kind.unsubscribe().from(entry, entryName, channel),
                  thread,
                  wakeUp);
          all.add(listening);
          listening.listen();
          if (!result.complete(listening::stop)) {
            listening.stop();
          }
        });
    return result;
  }

  /** Wakes all watches, since messages may have been missed. */
  private void wakeAll() {
    all.forEach(listening -> listening.wakeUp.run());
  }

  @Override
  public void close() {
    all.forEach(Listening::stop);
  }

  /** One watch. Redisson removes a listener when it calls it. */
  private final class Listening implements Runnable {
    private final Consumer<Runnable> add;
    private final Consumer<Runnable> remove;
    private final Runnable unsubscribe;
    private final Executor thread;
    private final Runnable wakeUp;

    /** How often it is still to be added; the thread that raised this from zero does it. */
    private final AtomicInteger adds = new AtomicInteger();

    /** The thread that is adding it. No lock: that thread may run other listeners meanwhile. */
    private volatile @Nullable Thread adder;

    Listening(
        Consumer<Runnable> add,
        Consumer<Runnable> remove,
        Runnable unsubscribe,
        Executor thread,
        Runnable wakeUp) {
      this.add = add;
      this.remove = remove;
      this.unsubscribe = unsubscribe;
      this.thread = thread;
      this.wakeUp = wakeUp;
    }

    @Override
    public void run() {
      if (adder == Thread.currentThread()) {
        adds.incrementAndGet();
      } else {
        thread.execute(this::again);
      }
    }

    /**
     * Adds the listener. Redisson 3.52 and newer keep a permit for each message, even if they have
     * called a listener for it, and call the next listener that is added at once. Such a call is no
     * message: the waiter is woken after this in any case.
     */
    void listen() {
      if (adds.getAndIncrement() > 0) {
        return; // another thread is adding it, and wakes its waiter after that
      }
      int left = 1;
      while (left > 0) {
        adder = Thread.currentThread();
        try {
          add.accept(this);
        } finally {
          adder = null;
          left = adds.decrementAndGet();
        }
      }
    }

    /**
     * Adds the listener again first, so that no message is missed between that and the next
     * request.
     */
    private void again() {
      if (all.contains(this)) {
        listen();
        wakeUp.run();
        if (!all.contains(this)) { // stopped while it was not there
          remove.accept(this);
        }
      }
    }

    void stop() {
      if (all.remove(this)) {
        remove.accept(this);
        unsubscribe.run();
      }
    }
  }
}
