package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Semaphores on a map that several managers share. Waiters poll; its monitor is the one step. */
final class MapPermits {
  private static final long DOOR = Duration.ofSeconds(2).toNanos();
  private final Map<String, Semaphore> names = new HashMap<>();

  private record Held(int permits, long end) {}

  /** One name's: its holders, and the waiter that none passes. */
  private static final class Semaphore {
    int number;
    final Map<String, Held> holders = new HashMap<>();
    String door = "";
    long doorEnds;

    void sweep(long now) {
      holders.values().removeIf(held -> held.end() - now <= 0);
    }

    int held() {
      return holders.values().stream().mapToInt(Held::permits).sum();
    }
  }

  private synchronized <T> CompletionStage<T> step(String name, Function<Semaphore, T> step) {
    Semaphore semaphore = names.computeIfAbsent(name, n -> new Semaphore());
    semaphore.sweep(System.nanoTime());
    try {
      return CompletableFuture.completedFuture(step.apply(semaphore));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  CompletionStage<Permits> count(String name) {
    return step(name, s -> new Permits(s.number, s.held()));
  }

  CompletionStage<?> resize(String name, int from, int to) {
    return step(
        name,
        s -> {
          if (s.number != 0 && s.number != from && s.number != to) {
            throw PermitStore.anotherNumber(name, from, s.number);
          }
          s.number = to;
          return to;
        });
  }

  CompletionStage<ReleaseResult> shrink(LeaseKey lease, int keep) {
    return step(
        lease.name(),
        s ->
            s.holders.computeIfPresent(
                        lease.token(),
                        (token, held) -> new Held(Math.min(keep, held.permits()), held.end()))
                    == null
                ? ReleaseResult.NOT_OWNER
                : ReleaseResult.RELEASED);
  }

  LeaseStore view(int wanted, int of) {
    return new View(wanted, of);
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
      String name = request.key().name();
      return step(name, s -> acquire(s, name, request));
    }

    private AcquireResult acquire(Semaphore s, String name, AcquireRequest request) {
      if (s.number != 0 && s.number != of) {
        throw PermitStore.anotherNumber(name, of, s.number);
      }
      s.number = of;
      String token = request.key().token();
      long now = System.nanoTime();
      boolean mayPass = s.doorEnds - now <= 0 || s.door.equals(token);
      if (s.holders.containsKey(token) || (mayPass && s.held() + wanted <= of)) {
        prolong(s, token, wanted, now + request.ttl().toNanos());
        s.doorEnds = s.door.equals(token) ? now : s.doorEnds;
        return new AcquireResult.Granted(OptionalLong.empty(), request.ttl());
      }
      if (mayPass && request.again()) { // it waits: what comes free gathers for it
        s.door = token;
        s.doorEnds = now + DOOR;
      }
      long end = s.holders.values().stream().mapToLong(Held::end).min().orElse(now);
      return new AcquireResult.Held(Duration.ofNanos(Math.max(0, end - now)));
    }

    private void prolong(Semaphore s, String token, int permits, long end) {
      s.holders.merge(token, new Held(permits, end), (old, n) -> old.end() - n.end() > 0 ? old : n);
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      return batch.stream().map(this::renewOne).toList();
    }

    private CompletionStage<RenewResult> renewOne(RenewRequest request) {
      return step(
          request.key().name(),
          s -> {
            Held held = s.holders.get(request.key().token());
            if (held == null) {
              return RenewResult.NOT_OWNER;
            }
            long end = System.nanoTime() + request.ttl().toNanos();
            prolong(s, request.key().token(), held.permits(), end);
            return RenewResult.RENEWED;
          });
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      return step(
          lease.name(),
          s ->
              s.holders.remove(lease.token()) == null
                  ? ReleaseResult.NOT_OWNER
                  : ReleaseResult.RELEASED);
    }

    @Override
    public CompletionStage<Optional<StoredLease>> inspect(String name) {
      return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public Set<Guarantee> guarantees() {
      return Set.of(Guarantee.OWNED, Guarantee.SERVER_EXPIRY, Guarantee.CLOCK_INDEPENDENT);
    }

    @Override
    public void close() {}
  }
}
