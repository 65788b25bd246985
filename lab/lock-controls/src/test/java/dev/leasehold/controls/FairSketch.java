package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A {@link SoundStore} with a line: only the first waiter takes a free lock, and a release wakes
 * it. Correct, except that a place in the line never expires.
 */
final class FairSketch extends SoundStore {
  private static final String WAKE =
      """
      local function wake(key)
        local first = redis.call('ZRANGE', key .. ':line', 0, 0)[1]
        if first and redis.call('EXISTS', key) == 0 then
          redis.call('RPUSH', 'wake:' .. first, 'now')
          redis.call('PEXPIRE', 'wake:' .. first, 10000)
        end
      end
      """;
  private static final String TAKE =
      """
      local held = redis.call('GET', KEYS[1])
      local line = KEYS[1] .. ':line'
      local first = redis.call('ZRANGE', line, 0, 0)[1] or ARGV[3]
      if held == ARGV[1] or (not held and first == ARGV[3]) then
        local left = math.max(redis.call('PTTL', KEYS[1]), ARGV[2])
        redis.call('SET', KEYS[1], ARGV[1], 'PX', left)
        redis.call('ZREM', line, ARGV[3])
        return -1
      end
      if ARGV[4] == '1' then
        local time = redis.call('TIME')
        redis.call('ZADD', line, 'NX', string.format('%.0f', time[1] * 1000000 + time[2]), ARGV[3])
      end
      return held and math.max(0, redis.call('PTTL', KEYS[1])) or 100
      """;
  private static final String GIVE =
      """
      if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
      redis.call('DEL', KEYS[1])
      wake(KEYS[1])
      return 1
      """;
  private static final String LEAVE =
      """
      redis.call('ZREM', KEYS[1] .. ':line', ARGV[1])
      wake(KEYS[1])
      return 1
      """;

  FairSketch(String address) {
    super(address, believed());
  }

  private static Set<Guarantee> believed() {
    EnumSet<Guarantee> all = EnumSet.copyOf(Control.OWNED_WITH_TTL);
    all.addAll(EnumSet.of(Guarantee.FAIR, Guarantee.WAKE_UP));
    return all;
  }

  @Override
  protected AcquireResult acquireNow(AcquireRequest request) {
    LeaseKey lease = request.key();
    long reply =
        redis.script(
            TAKE,
            lease.name(),
            lease.token(),
            Long.toString(request.ttl().toMillis()),
            request.waiter().token(),
            request.ifHeld() == IfHeld.ENQUEUE ? "1" : "0");
    return reply == -1
        ? new Granted(fence(lease.token()), request.ttl())
        : new Held(Duration.ofMillis(reply));
  }

  @Override
  boolean free(String key, String token) {
    return redis.script(WAKE + GIVE, key, token) == 1;
  }

  @Override
  boolean freeUnheard(String key, String token) {
    return free(key, token);
  }

  @Override
  protected void leaveNow(LeaseKey waiter) {
    redis.script(WAKE + LEAVE, waiter.name(), waiter.token());
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    AtomicBoolean closed = new AtomicBoolean();
    Thread thread =
        new Thread(() -> listen("wake:" + waiter.token(), closed, wakeUp), "control's wake-ups");
    thread.setDaemon(true);
    thread.start();
    return CompletableFuture.completedFuture(() -> closed.set(true));
  }

  private void listen(String list, AtomicBoolean closed, Runnable wakeUp) {
    try {
      while (!closed.get()) {
        if (redis.call("BLPOP", list, "1").isPresent()) {
          wakeUp.run();
        }
      }
    } catch (LockStoreException broken) {
      wakeUp.run(); // the server is gone, or this store is closed: the waiter asks
    }
  }
}
