package dev.leasehold.redisson;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.Replies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Shares semaphores with {@code RPermitExpirableSemaphore}. Thread-safe. */
final class PermitViews {
  private final Client client;
  private final Unlocks unlocks;
  private final Scripts scripts;
  private final RedissonRenewals renewing;

  PermitViews(Client client, Unlocks unlocks, Scripts scripts) {
    this.client = client;
    this.unlocks = unlocks;
    this.scripts = scripts;
    this.renewing =
        new RedissonRenewals(
            client,
            scripts,
            RedissonScript.PERMITS_RENEW,
            LockKind.SEMAPHORE,
            lease -> List.of(client.keys(lease.name()).permitEnds()),
            LeaseKey::token);
  }

  /** A view that acquires a number of permits together. */
  LeaseStore view(int wanted, int of) {
    return new View(wanted, of);
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
    return RedissonScriptCall.of(script, operation, name, keys(name), arguments)
        .about(LockKind.SEMAPHORE);
  }

  private List<String> keys(String name) {
    Keys keys = client.keys(name);
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

  private final class View implements LeaseStore {
    private final int wanted;
    private final int of;

    View(int wanted, int of) {
      this.wanted = wanted;
      this.of = of;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      LeaseKey key = request.key();
      List<String> keys = new ArrayList<>(keys(key.name()));
      keys.add(client.keys(key.name()).gone(key.token()));
      return scripts.acquisition(
          RedissonScriptCall.of(
                  RedissonScript.PERMITS_ACQUIRE,
                  "acquire",
                  key.name(),
                  keys,
                  key.token(),
                  Long.toString(request.ttl().toMillis()),
                  Integer.toString(wanted),
                  Integer.toString(of),
                  request.ifHeld() == IfHeld.ENQUEUE ? "1" : "0",
                  unlocks.publishCommand())
              .about(LockKind.SEMAPHORE),
          key,
          answer -> {
            AcquireResult result = acquired(request, answer.reply());
            return answer.isInDoubt(result)
                ? answer.withdrawn(() -> release(key))
                : CompletableFuture.completedFuture(result);
          });
    }

    private AcquireResult acquired(AcquireRequest request, Object reply) {
      if (reply instanceof List<?> other) {
        throw anotherNumber(request.key().name(), of, (Long) other.get(1));
      }
      long number = (Long) reply;
      return number > 0
          ? new Granted(OptionalLong.empty(), request.ttl())
          : new Held(Duration.ofMillis(-1 - number));
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      return renewing.renew(batch);
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      return scripts.ending(
          LockKind.SEMAPHORE,
          lease,
          client.keys(lease.name()),
          () ->
              scripts.number(
                  told(RedissonScript.PERMITS_RELEASE, "release", lease), Replies::release));
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
      return unlocks.watchPermits(client.keys(waiter.name()), wakeUp);
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

    @Override
    public void close() {
      // The store closes what the views share.
    }
  }
}
