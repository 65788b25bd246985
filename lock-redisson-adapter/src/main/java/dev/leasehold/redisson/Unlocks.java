package dev.leasehold.redisson;

import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Watch;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.redisson.PubSubEntry;
import org.redisson.RedissonCountDownLatchEntry;
import org.redisson.RedissonLockEntry;
import org.redisson.command.CommandAsyncExecutor;
import org.redisson.pubsub.CountDownLatchPubSub;
import org.redisson.pubsub.LockPubSub;
import org.redisson.pubsub.PublishSubscribeService;
import org.redisson.pubsub.SemaphorePubSub;

/**
 * Listens for the messages that Redisson's locks send when they are unlocked, by Redisson's own
 * register of listeners: with one of our own, the last plain {@code RLock} of the client that stops
 * waiting for a name would end our subscription too. Thread-safe.
 */
final class Unlocks implements AutoCloseable {
  private final CommandAsyncExecutor executor;
  private final Channels<RedissonLockEntry> locks;
  private final Channels<RedissonLockEntry> semaphores;
  private final Channels<RedissonCountDownLatchEntry> latches;
  private final Executor threads;
  private final Set<Listening> all = ConcurrentHashMap.newKeySet();

  Unlocks(CommandAsyncExecutor executor, Connections connections) {
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

  /** Redisson's register of listeners for one kind, whose own type has no name here. */
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

  /** Listens to what every plain lock of this name listens to. */
  CompletionStage<Watch> watch(Keys keys, Runnable wakeUp) {
    return watch(locks, keys.name(), entry(keys), keys.channel(), Runnable::run, wakeUp);
  }

  /**
   * Listens to what every plain read/write lock of this name listens to. Its unlock runs listeners
   * until there is none left, so that one may only come back after that, as a task of its own.
   */
  CompletionStage<Watch> watchSides(Keys keys, Runnable wakeUp) {
    return watch(locks, keys.name(), entry(keys), keys.sidesChannel(), threads, wakeUp);
  }

  private String entry(Keys keys) {
    return executor.getServiceManager().getId() + ":" + keys.raw();
  }

  /** Listens to what the first in line of a fair lock is sent. */
  CompletionStage<Watch> watchOwn(Keys keys, String token, Runnable wakeUp) {
    String channel = keys.channel() + ":" + token;
    return watch(locks, keys.name(), "leasehold:" + channel, channel, Runnable::run, wakeUp);
  }

  /** Listens to what every plain semaphore of this name listens to. */
  CompletionStage<Watch> watchPermits(Keys keys, Runnable wakeUp) {
    return watch(semaphores, keys.name(), keys.lock(), keys.permitChannel(), Runnable::run, wakeUp);
  }

  /** Listens to what every plain latch of this name listens to, which runs listeners likewise. */
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
    // Not cancelled with the result: others may share what becomes of it.
    CompletableFuture<E> subscribed = kind.subscribe().apply(entryName, channel);
    kind.timeout().accept(subscribed);
    subscribed.whenComplete(
        (entry, failure) -> {
          if (failure != null) {
            String what = "Could not listen for wake-ups of " + Quoted.name(lockName);
            result.completeExceptionally(Failures.of(failure, what));
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
          listening.add.accept(listening);
          if (!result.complete(listening::stop)) {
            listening.stop();
          }
        });
    return result;
  }

  /** Messages may have been missed. */
  private void wakeAll() {
    all.forEach(listening -> listening.wakeUp.run());
  }

  @Override
  public void close() {
    all.forEach(Listening::stop);
  }

  /** One watch. Redisson forgets a listener when it calls it. */
  private final class Listening implements Runnable {
    private final Consumer<Runnable> add;
    private final Consumer<Runnable> remove;
    private final Runnable unsubscribe;
    private final Executor thread;
    private final Runnable wakeUp;

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
      thread.execute(this::again);
    }

    /** First it listens again, so that no message is missed between that and the next question. */
    private void again() {
      if (all.contains(this)) {
        add.accept(this);
        wakeUp.run();
        if (!all.contains(this)) { // stopped meanwhile, when it was not there
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
