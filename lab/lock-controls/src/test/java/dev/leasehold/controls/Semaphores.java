package dev.leasehold.controls;

import static dev.leasehold.controls.Control.Rules.breaks;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.Watch;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/** Semaphores. */
final class Semaphores {
  /** A count without owners. */
  private static final class Counted extends PermitSketch {
    private static final String TAKE =
        """
        local held = tonumber(redis.call('GET', KEYS[1]) or 0)
        if held + ARGV[3] > tonumber(ARGV[4]) then return redis.call('PTTL', KEYS[1]) end
        redis.call('INCRBY', KEYS[1], ARGV[3])
        redis.call('PEXPIRE', KEYS[1], ARGV[2])
        return -1
        """;
    private static final String GIVE =
        """
        if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
        redis.call('DECRBY', KEYS[1], ARGV[1])
        return 1
        """;

    Counted(String address) {
      super(address);
    }

    @Override
    long take(String key, String token, String ttl, String wanted, String of, String waits) {
      return redis.script(TAKE, key, token, ttl, wanted, of);
    }

    @Override
    boolean give(String key, String token, int wanted) {
      return redis.script(GIVE, key, "" + wanted) == 1;
    }

    @Override
    boolean keep(String key, String token, String ttl) {
      return redis.number("PEXPIRE", key, ttl) == 1;
    }
  }

  /** Holders with identities of their own, but a common expiry. */
  private static final class OneTimeToLive extends PermitSketch {
    private static final String TAKE =
        """
        local door = redis.call('GET', KEYS[1] .. ':door')
        local free = not door or door == ARGV[1]
        local fits = redis.call('ZCARD', KEYS[1]) + ARGV[3] <= tonumber(ARGV[4])
        if redis.call('ZSCORE', KEYS[1], '1:' .. ARGV[1]) or (fits and free) then
          for i = 1, tonumber(ARGV[3]) do redis.call('ZADD', KEYS[1], i, i .. ':' .. ARGV[1]) end
          if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
            redis.call('PEXPIRE', KEYS[1], ARGV[2])
          end
          if door == ARGV[1] then redis.call('DEL', KEYS[1] .. ':door') end
          return -1
        end
        if ARGV[5] == '1' and free then
          redis.call('SET', KEYS[1] .. ':door', ARGV[1], 'PX', 2000)
        end
        return math.max(0, redis.call('PTTL', KEYS[1]))
        """;
    private static final String KEEP =
        """
        if not redis.call('ZSCORE', KEYS[1], '1:' .. ARGV[1]) then return 0 end
        if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
          redis.call('PEXPIRE', KEYS[1], ARGV[2])
        end
        return 1
        """;

    OneTimeToLive(String address) {
      super(address);
    }

    @Override
    long take(String key, String token, String ttl, String wanted, String of, String waits) {
      return redis.script(NUMBER + TAKE, key, token, ttl, wanted, of, waits);
    }

    @Override
    boolean give(String key, String token, int wanted) {
      return redis.script(GIVE + "return i\n", key, token) > 0;
    }

    @Override
    boolean giveSome(String key, String token, int keep) {
      return redis.script(SHRINK + "return 1\n", key, token, "" + keep) > 0;
    }

    @Override
    boolean keep(String key, String token, String ttl) {
      return redis.script(KEEP, key, token, ttl) == 1;
    }
  }

  /** Releases push an element to a list for the waiters. */
  private abstract static class Ringing extends PermitSketch {
    Ringing(String address, Guarantee... more) {
      super(address, more);
    }

    /** The list that a new waiter listens on. */
    abstract String bell(String key);

    /**
     * Only a waiter for several permits takes the door: the others are woken, in no particular
     * order.
     */
    @Override
    final long take(String key, String token, String ttl, String wanted, String of, String waits) {
      return super.take(key, token, ttl, wanted, of, wanted.equals("1") ? "0" : waits);
    }

    @Override
    final Watch listen(String key, Runnable wakeUp) {
      return redis.popping(bell(key), rung -> wakeUp.run(), wakeUp);
    }
  }

  private static final String RING =
      """
      if i > 0 then
        redis.call('DEL', KEYS[1] .. ':bell')
        redis.call('RPUSH', KEYS[1] .. ':bell', 'ring')
        redis.call('PEXPIRE', KEYS[1] .. ':bell', 60000)
      end
      """;
  private static final String RING_ALL =
      """
      if i > 0 then
        for _, bell in ipairs(redis.call('SMEMBERS', KEYS[1] .. ':bells')) do
          redis.call('RPUSH', bell, 'ring')
          redis.call('PEXPIRE', bell, 60000)
        end
      end
      """;

  private Semaphores() {}

  static List<Control> all() {
    return List.of(
        // Permits counted by one command and taken by the next.
        Control.permits(
            "semaphore that counts, then takes",
            breaks("SE-1"),
            address ->
                new PermitSketch(address) {
                  @Override
                  long take(
                      String key,
                      String token,
                      String ttl,
                      String wanted,
                      String of,
                      String waits) {
                    return countThenTake(key, token, ttl, wanted, of, waits);
                  }
                }),
        // A counter that is incremented and decremented, with a TTL.
        Control.permits(
            "semaphore that is a count without owners",
            breaks("SE-1", "SE-2", "SE-3", "SE-4", "SE-5").toldBy("SE-2", "SE-3"),
            Counted::new),
        Control.permits("semaphore with one time to live", breaks("SE-2"), OneTimeToLive::new),
        // Sound, but free permits go to any request that fits, past waiters for more.
        Control.permits(
            "semaphore for any request that fits",
            breaks("SE-5"),
            address ->
                new PermitSketch(address) {
                  @Override
                  long take(
                      String key,
                      String token,
                      String ttl,
                      String wanted,
                      String of,
                      String waits) {
                    return super.take(key, token, ttl, wanted, of, "0");
                  }
                }),
        // Sound, with one list: a release pushes one element, however many permits it frees.
        Control.permits(
            "semaphore that wakes one",
            breaks("SE-6"),
            address ->
                new Ringing(address, Guarantee.WAKE_UP) {
                  @Override
                  String bell(String key) {
                    return key + ":bell";
                  }

                  @Override
                  String given() {
                    return RING;
                  }
                }),
        // Each waiter listens on its own list, and a release pushes to all of them.
        Control.permits(
            "semaphore that wakes all waiters",
            breaks("SE-6"),
            address ->
                new Ringing(address, Guarantee.WAKE_UP, Guarantee.WAKE_ONE) {
                  @Override
                  String bell(String key) {
                    String bell = key + ":bell:" + UUID.randomUUID();
                    redis.number("SADD", key + ":bells", bell);
                    return bell;
                  }

                  @Override
                  String given() {
                    return RING_ALL;
                  }
                }),
        // Sound, but all permits of a name draw their tokens from one counter.
        Control.permits(
            "semaphore with one counter of tokens",
            breaks("SE-8"),
            address ->
                new PermitSketch(address) {
                  @Override
                  OptionalLong token(String key) {
                    return OptionalLong.of(redis.number("INCR", key + ":fence"));
                  }
                }));
  }
}
