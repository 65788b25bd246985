package dev.leasehold.redisson;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.Replies;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Shares semaphores with {@code RPermitExpirableSemaphore}; acquires a number of permits together.
 * Thread-safe.
 */
final class PermitView extends RedissonView {
  private final int wanted;
  private final int of;

  PermitView(Client client, Unlocks unlocks, Scripts scripts, int wanted, int of) {
    super(client, unlocks, scripts, LockKind.SEMAPHORE, RedissonScript.PERMITS_RENEW);
    this.wanted = wanted;
    this.of = of;
  }

  CompletionStage<Permits> count(String name) {
    return scripts.list(
        call(RedissonScript.PERMITS_COUNT, "count", name),
        reply -> PermitScripts.counted(reply == null ? List.of(0L, 0L) : reply));
  }

  CompletionStage<?> resize(String name, int from, int to) {
    return scripts.number(
        call(
            RedissonScript.PERMITS_RESIZE,
            "resize",
            name,
            Integer.toString(from),
            Integer.toString(to),
            unlocks.publishCommand()),
        now -> {
          if (now != to) {
            throw anotherNumber(name, from, now);
          }
          return now;
        });
  }

  CompletionStage<ReleaseResult> shrink(LeaseKey lease, int keep) {
    return scripts.number(
        call(
            RedissonScript.PERMITS_RELEASE,
            "release",
            lease.name(),
            lease.token(),
            unlocks.publishCommand(),
            Integer.toString(keep)),
        Replies::release);
  }

  private RedissonScriptCall call(
      RedissonScript script, String operation, String name, String... arguments) {
    return call(script, operation, name, permitKeys(name), arguments);
  }

  private List<String> permitKeys(String name) {
    Keys keys = keys(name);
    return List.of(keys.lock(), keys.permitEnds(), keys.permitChannel(), keys.permitDoor());
  }

  /** The key of a plain {@code RSemaphore} or a latch holds a number, too. */
  private static LockConfigurationException anotherNumber(String name, long asked, long number) {
    return new LockConfigurationException(
        PermitStore.anotherNumber(name, asked, number).getMessage()
            + " (here: when its key is deleted). If a plain RSemaphore has this name: its permits"
            + " have no owners and can't be leased; use RPermitExpirableSemaphore there. If another"
            + " process uses the name for a latch, that number is of count-downs still to come:"
            + " give one of them another name");
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    LeaseKey key = request.key();
    List<String> keys = new ArrayList<>(permitKeys(key.name()));
    keys.add(keys(key.name()).gone(key.token()));
    return acquire(
        call(
            RedissonScript.PERMITS_ACQUIRE,
            "acquire",
            key.name(),
            keys,
            key.token(),
            Long.toString(request.ttl().toMillis()),
            Integer.toString(wanted),
            Integer.toString(of),
            request.ifHeld() == IfHeld.ENQUEUE ? "1" : "0",
            unlocks.publishCommand()),
        key,
        reply -> acquired(request, reply));
  }

  private AcquireResult acquired(AcquireRequest request, Object reply) {
    if (reply instanceof List<?> other) {
      throw anotherNumber(request.key().name(), of, (Long) other.get(1));
    }
    return Replies.withoutFence((Long) reply, request.ttl());
  }

  @Override
  List<String> renewed(LeaseKey lease) {
    return List.of(keys(lease.name()).permitEnds());
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return ending(told(RedissonScript.PERMITS_RELEASE, "release", lease), lease, Replies::release);
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return scripts.number(told(RedissonScript.PERMITS_LEAVE, "leave", waiter), reply -> reply);
  }

  private RedissonScriptCall told(RedissonScript script, String operation, LeaseKey key) {
    return call(script, operation, key.name(), key.token(), unlocks.publishCommand());
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return unlocks.watchPermits(keys(waiter.name()), wakeUp);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  /**
   * Without CLOCK_INDEPENDENT: Redisson's clients check by their own clocks which permits have
   * expired.
   */
  @Override
  public Set<Guarantee> guarantees() {
    return EnumSet.of(Guarantee.OWNED, Guarantee.SERVER_EXPIRY, Guarantee.WAKE_UP);
  }
}
