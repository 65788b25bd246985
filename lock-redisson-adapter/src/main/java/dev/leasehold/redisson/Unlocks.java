package dev.leasehold.redisson;

import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.RedisErrors;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.redisson.RedissonLockEntry;
import org.redisson.command.CommandAsyncExecutor;
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
  private final Channels locks;
  private final Channels semaphores;
  private final Executor threads;
  private final Set<Listening> all = ConcurrentHashMap.newKeySet();

  Unlocks(CommandAsyncExecutor executor, Connections connections) {
    this.executor = executor;
    PublishSubscribeService service = executor.getConnectionManager().getSubscribeService();
    LockPubSub ofLocks = service.getLockPubSub();
    SemaphorePubSub ofSemaphores = service.getSemaphorePubSub();
    this.locks = new Channels(ofLocks::subscribe, ofLocks::unsubscribe, ofLocks::timeout);
    this.semaphores =
        new Channels(ofSemaphores::subscribe, ofSemaphores::unsubscribe, ofSemaphores::timeout);
    this.threads = executor.getServiceManager().getExecutor();
    connections.onAgain(this::wakeAll);
  }

  /** Redisson's register of listeners for one kind, whose own type has no name here. */
  private record Channels(
      BiFunction<String, String, CompletableFuture<RedissonLockEntry>> subscribe,
      Unsubscribe unsubscribe,
      Consumer<CompletableFuture<?>> timeout) {}

  private interface Unsubscribe {
    void from(RedissonLockEntry entry, String entryName, String channel);
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
   * until there is none left, so that one may only come back after that, on another thread.
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

  private CompletionStage<Watch> watch(
      Channels kind,
      String lockName,
      String entryName,
      String channel,
      Executor thread,
      Runnable wakeUp) {
    CompletableFuture<Watch> result = new CompletableFuture<>();
    // Not cancelled with the result: others may share what becomes of it.
    CompletableFuture<RedissonLockEntry> subscribed = kind.subscribe().apply(entryName, channel);
    kind.timeout().accept(subscribed);
    subscribed.whenComplete(
        (entry, failure) -> {
          if (failure != null) {
            String what = RedisErrors.message("listen for", lockName);
            result.completeExceptionally(Failures.of(failure, what));
            return;
          }
          Listening listening =
              new Listening(
                  entry, () -> kind.unsubscribe().from(entry, entryName, channel), thread, wakeUp);
          all.add(listening);
          entry.addListener(listening);
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
    private final RedissonLockEntry entry;
    private final Runnable unsubscribe;
    private final Executor thread;
    private final Runnable wakeUp;

    Listening(RedissonLockEntry entry, Runnable unsubscribe, Executor thread, Runnable wakeUp) {
      this.entry = entry;
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
        entry.addListener(this);
        wakeUp.run();
        if (!all.contains(this)) { // stopped meanwhile, when it was not there
          entry.removeListener(this);
        }
      }
    }

    void stop() {
      if (all.remove(this)) {
        entry.removeListener(this);
        unsubscribe.run();
      }
    }
  }
}
