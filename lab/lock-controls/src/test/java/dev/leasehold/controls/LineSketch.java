package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A {@link SoundStore} with a line of waiters per lock, in a sorted set, whose first one is woken
 * by a release: by an element of a list that it pops.
 */
abstract class LineSketch extends SoundStore {
  private static final String GIVE =
      """
      if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
      redis.call('DEL', KEYS[1])
      wake(KEYS[1])
      return 1
      """;

  LineSketch(String address, Guarantee... more) {
    super(address, more);
  }

  /**
   * A script that takes the lock for ARGV[1] of a waiter ARGV[3] and returns -1, or puts that
   * waiter in the line if ARGV[4] is 1.
   */
  abstract String take();

  /** A function {@code wake(key)} for scripts. */
  abstract String wake();

  /** A script that removes a waiter from the line. */
  abstract String leave();

  /** A waiter's place in the line. */
  abstract String place(LeaseKey waiter);

  /** The list on which a waiter is woken. */
  abstract String list(LeaseKey waiter);

  @Override
  protected final AcquireResult acquireNow(AcquireRequest request) {
    LeaseKey lease = request.key();
    long reply =
        redis.script(
            take(),
            lease.name(),
            lease.token(),
            Long.toString(request.ttl().toMillis()),
            place(request.waiter()),
            request.ifHeld() == IfHeld.ENQUEUE ? "1" : "0");
    return reply == -1
        ? new Granted(fence(lease.token()), request.ttl())
        : new Held(Duration.ofMillis(reply));
  }

  @Override
  final boolean free(String key, String token) {
    return redis.script(wake() + GIVE, key, token) == 1;
  }

  @Override
  final boolean freeUnheard(String key, String token) {
    return free(key, token);
  }

  @Override
  protected final void leaveNow(LeaseKey waiter) {
    redis.script(wake() + leave(), waiter.name(), place(waiter));
  }

  @Override
  public final CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return CompletableFuture.completedFuture(
        redis.popping(list(waiter), woken -> wakeUp.run(), wakeUp));
  }

  /**
   * Only the first waiter takes a free lock. Correct, except that a place in the line never
   * expires.
   */
  static final class Fair extends LineSketch {
    Fair(String address) {
      super(address, Guarantee.FAIR, Guarantee.WAKE_UP);
    }

    @Override
    String take() {
      return """
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
    }

    @Override
    String wake() {
      return """
      local function wake(key)
        local first = redis.call('ZRANGE', key .. ':line', 0, 0)[1]
        if first and redis.call('EXISTS', key) == 0 then
          redis.call('RPUSH', 'wake:' .. first, 'now')
          redis.call('PEXPIRE', 'wake:' .. first, 10000)
        end
      end
      """;
    }

    @Override
    String leave() {
      return """
      redis.call('ZREM', KEYS[1] .. ':line', ARGV[1])
      wake(KEYS[1])
      return 1
      """;
    }

    @Override
    String place(LeaseKey waiter) {
      return waiter.token();
    }

    @Override
    String list(LeaseKey waiter) {
      return "wake:" + waiter.token();
    }
  }

  /** A release wakes the process of the first waiter. It has no flaw. */
  static final class Waking extends LineSketch {
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

    private final String id = UUID.randomUUID().toString();

    Waking(String address) {
      super(address, Guarantee.WAKE_UP);
    }

    /** The list on which a process, or its waiters for several locks, are woken. */
    static String wakes(String process, String name) {
      return "wake:" + process + ":" + name;
    }

    @Override
    String take() {
      return LINE
          + """
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
    }

    @Override
    String wake() {
      return WAKE;
    }

    @Override
    String leave() {
      return LEAVE + "leave(KEYS[1], ARGV[1]) return 1";
    }

    @Override
    String place(LeaseKey waiter) {
      return id + " " + waiter.token();
    }

    @Override
    String list(LeaseKey waiter) {
      return wakes(id, waiter.name());
    }
  }
}
