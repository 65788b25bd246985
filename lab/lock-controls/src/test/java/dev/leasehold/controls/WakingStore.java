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
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A {@link SoundStore} with a line per lock; a release wakes the process of the first waiter, which
 * pops from its own list. It has no flaw.
 */
final class WakingStore extends SoundStore {
  /** Removes the first waiter from the line of a free lock, and wakes it. */
  static final String WAKE =
      """
      local function wake(key)
        local first = redis.call('ZPOPMIN', key .. ':line')[1]
        if first then
          local list = 'wake:' .. string.match(first, '^[^ ]*') .. ':' .. key
          redis.call('RPUSH', list, first)
          redis.call('PEXPIRE', list, 10000)
        end
      end
      """;

  /** A waiter that is not in line was woken, or will be by the next release. */
  static final String LINE =
      """
      local function stand(key, who)
        local time = redis.call('TIME')
        local now = string.format('%.0f', time[1] * 1000000 + time[2])
        redis.call('ZADD', key .. ':line', 'NX', now, who)
        redis.call('PEXPIRE', key .. ':line', 60000)
      end
      """;

  /** A waiter that was woken and leaves passes the wake-up on. */
  static final String LEAVE =
      """
      local function leave(key, who)
        if redis.call('ZREM', key .. ':line', who) == 0 and redis.call('EXISTS', key) == 0 then
          wake(key)
        end
      end
      """;

  private static final String TAKE =
      """
      local held = redis.call('GET', KEYS[1])
      if not held or held == ARGV[1] then
        local left = math.max(redis.call('PTTL', KEYS[1]), ARGV[2])
        redis.call('SET', KEYS[1], ARGV[1], 'PX', left)
        redis.call('ZREM', KEYS[1] .. ':line', ARGV[3])
        return -1
      end
      if ARGV[4] == '1' then stand(KEYS[1], ARGV[3]) end
      return math.max(0, redis.call('PTTL', KEYS[1]))
      """;
  private static final String GIVE =
      """
      if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
      redis.call('DEL', KEYS[1])
      wake(KEYS[1])
      return 1
      """;

  private final String id = UUID.randomUUID().toString();

  WakingStore(String address) {
    super(address, believed());
  }

  private static Set<Guarantee> believed() {
    EnumSet<Guarantee> all = EnumSet.copyOf(Control.OWNED_WITH_TTL);
    all.add(Guarantee.WAKE_UP);
    return all;
  }

  /** The list on which a process, or its waiters for several locks, are woken. */
  static String wakes(String process, String name) {
    return "wake:" + process + ":" + name;
  }

  private String inLine(LeaseKey waiter) {
    return id + " " + waiter.token();
  }

  @Override
  protected AcquireResult acquireNow(AcquireRequest request) {
    LeaseKey lease = request.key();
    long reply =
        redis.script(
            LINE + TAKE,
            lease.name(),
            lease.token(),
            Long.toString(request.ttl().toMillis()),
            inLine(request.waiter()),
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
  protected void leaveNow(LeaseKey waiter) {
    redis.script(WAKE + LEAVE + "leave(KEYS[1], ARGV[1]) return 1", waiter.name(), inLine(waiter));
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    AtomicBoolean closed = new AtomicBoolean();
    Thread thread =
        new Thread(() -> listen(wakes(id, waiter.name()), closed, wakeUp), "control's wake-ups");
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
