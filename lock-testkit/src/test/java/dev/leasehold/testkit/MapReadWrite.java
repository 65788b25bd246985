package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Read/write locks on a map that several managers share. Waiters poll; its monitor is the step. */
final class MapReadWrite {
  /** A waiter that has not asked for so long is skipped. */
  private static final long PLACE = Duration.ofSeconds(2).toNanos();

  private final Map<String, Sides> names = new HashMap<>();

  enum Side {
    READ,
    WRITE
  }

  private record Held(Side side, long end, long fence) {}

  /** One name's: holders, waiters and how long they are waited for, and the counters of tokens. */
  private static final class Sides {
    final Map<String, Held> holders = new HashMap<>();
    final Map<String, Long> line = new LinkedHashMap<>();
    long fence;
    long written;

    /** Whether no waiter came before; a place is kept for those that ask again and again. */
    boolean isFirst(String token) {
      return line.isEmpty() || line.keySet().iterator().next().equals(token);
    }

    /** Whether a side has room beside what is held; a reader also beside its owner's write side. */
    boolean fits(Side side, String beside) {
      return holders.entrySet().stream()
          .allMatch(
              e ->
                  (side == Side.READ && e.getValue().side() == Side.READ)
                      || e.getKey().equals(beside));
    }
  }

  private synchronized <T> CompletionStage<T> step(String name, Function<Sides, T> step) {
    Sides sides = names.computeIfAbsent(name, n -> new Sides());
    long now = System.nanoTime();
    sides.holders.values().removeIf(held -> held.end() - now <= 0);
    sides.line.values().removeIf(end -> end - now <= 0);
    return CompletableFuture.completedFuture(step.apply(sides));
  }

  LeaseStore view(Side side, String beside) {
    return new View(side, beside);
  }

  private final class View implements LeaseStore {
    private final Side side;
    private final String beside;

    View(Side side, String beside) {
      this.side = side;
      this.beside = beside;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      return step(request.key().name(), s -> acquire(s, request));
    }

    private AcquireResult acquire(Sides s, AcquireRequest request) {
      String token = request.key().token();
      long now = System.nanoTime();
      boolean mayPass = s.isFirst(token) || s.holders.containsKey(beside);
      Held before = s.holders.get(token);
      if (before != null || (mayPass && s.fits(side, beside))) {
        long fence = before == null ? draw(s) : before.fence();
        s.holders.put(token, new Held(side, now + request.ttl().toNanos(), fence));
        s.line.remove(token);
        return new AcquireResult.Granted(OptionalLong.of(fence), request.ttl());
      }
      if (request.again()) { // it waits: none is to pass it
        s.line.put(token, now + PLACE); // at its old place, if it has one
      }
      long end = s.holders.values().stream().mapToLong(Held::end).max().orElse(now);
      return new AcquireResult.Held(Duration.ofNanos(Math.max(0, end - now)));
    }

    private long draw(Sides s) {
      long fence = side == Side.READ ? s.written + 1 : s.fence + 1;
      s.fence = Math.max(s.fence, fence);
      s.written = side == Side.READ ? s.written : fence;
      return fence;
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      return batch.stream().map(this::renewOne).toList();
    }

    private CompletionStage<RenewResult> renewOne(RenewRequest request) {
      long end = System.nanoTime() + request.ttl().toNanos();
      return step(
          request.key().name(),
          s ->
              s.holders.computeIfPresent(
                          request.key().token(),
                          (token, held) ->
                              held.end() - end > 0 ? held : new Held(side, end, held.fence()))
                      == null
                  ? RenewResult.NOT_OWNER
                  : RenewResult.RENEWED);
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
    public CompletionStage<?> leave(LeaseKey waiter) {
      return step(waiter.name(), s -> s.line.remove(waiter.token()));
    }

    @Override
    public CompletionStage<Optional<StoredLease>> inspect(String name) {
      return step(
          name,
          s ->
              s.holders.entrySet().stream()
                  .filter(e -> e.getValue().side() == side)
                  .findFirst()
                  .map(
                      e ->
                          new StoredLease(
                              e.getKey(),
                              Duration.ofNanos(Math.max(0, e.getValue().end() - System.nanoTime())),
                              OptionalLong.of(e.getValue().fence()))));
    }

    @Override
    public Set<Guarantee> guarantees() {
      return Set.of(
          Guarantee.OWNED, Guarantee.SERVER_EXPIRY, Guarantee.CLOCK_INDEPENDENT, Guarantee.FENCING);
    }

    @Override
    public void close() {}
  }
}
