package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * A {@link SoundStore} with semaphores whose waiters poll: an entry per permit, scored by the end
 * of its lease, and a door for a waiter that needs many. It has no flaw; the controls add one.
 */
class PermitSketch extends SoundStore implements PermitStore {
  private static final int OTHER_NUMBER = 1_000_000_000;

  private static final String SWEPT =
      """
      local time = redis.call('TIME')
      local now = time[1] * 1000 + math.floor(time[2] / 1000)
      redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
      """;

  /** Whether enough permits are free. */
  private static final String LOOK =
      """
      local door = redis.call('GET', KEYS[1] .. ':door')
      local fits = redis.call('ZCARD', KEYS[1]) + ARGV[3] <= tonumber(ARGV[4])
      local free = not door or door == ARGV[1]
      local taken = redis.call('ZSCORE', KEYS[1], '1:' .. ARGV[1]) or (fits and free)
      """;

  private static final String TAKE =
      """
      if taken then
        local ends = string.format('%.0f', now + ARGV[2])
        for i = 1, tonumber(ARGV[3]) do redis.call('ZADD', KEYS[1], ends, i .. ':' .. ARGV[1]) end
        if door == ARGV[1] then redis.call('DEL', KEYS[1] .. ':door') end
        return -1
      end
      """;
  private static final String WAIT =
      """
      if ARGV[5] == '1' and free then redis.call('SET', KEYS[1] .. ':door', ARGV[1], 'PX', 2000) end
      local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
      return first[2] and math.max(0, first[2] - now) or 100
      """;
  static final String GIVE =
      """
      local i = 0
      while redis.call('ZREM', KEYS[1], (i + 1) .. ':' .. ARGV[1]) == 1 do i = i + 1 end
      """;
  static final String SHRINK =
      """
      if not redis.call('ZSCORE', KEYS[1], '1:' .. ARGV[1]) then return 0 end
      local i = 0
      while redis.call('ZREM', KEYS[1], (i + ARGV[2] + 1) .. ':' .. ARGV[1]) == 1 do i = i + 1 end
      """;
  private static final String RENEW =
      """
      local i = 0
      while redis.call('ZSCORE', KEYS[1], (i + 1) .. ':' .. ARGV[1]) do
        i = i + 1
        redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), i .. ':' .. ARGV[1])
      end
      return i
      """;
  static final String NUMBER =
      """
      local of = redis.call('GET', KEYS[1] .. ':of')
      if of and of ~= ARGV[4] then return 1000000000 + of end
      redis.call('SET', KEYS[1] .. ':of', ARGV[4], 'PX', 86400000)
      """;
  private static final String COUNT =
      """
      return (redis.call('GET', KEYS[1] .. ':of') or 0) * 100000 + redis.call('ZCARD', KEYS[1])
      """;
  private static final String RESIZE =
      """
      local of = redis.call('GET', KEYS[1] .. ':of')
      if of and of ~= ARGV[1] and of ~= ARGV[2] then return tonumber(of) end
      redis.call('SET', KEYS[1] .. ':of', ARGV[2], 'PX', 86400000)
      return tonumber(ARGV[2])
      """;

  /** A store whose author claims these besides semaphores. */
  PermitSketch(String address, Guarantee... more) {
    super(address, with(more, Guarantee.PERMITS));
  }

  /**
   * Takes the permits, in one script.
   *
   * @return -1 on success, otherwise for how many ms they are still taken
   */
  long take(String key, String token, String ttl, String wanted, String of, String waits) {
    return redis.script(NUMBER + SWEPT + LOOK + TAKE + WAIT, key, token, ttl, wanted, of, waits);
  }

  /** The same in two scripts: another client may come in between. */
  final long countThenTake(
      String key, String token, String ttl, String wanted, String of, String waits) {
    String look = NUMBER + SWEPT + LOOK + "if taken then return -1 end\n" + WAIT;
    long refused = redis.script(look, key, token, ttl, wanted, of, waits);
    String take =
        SWEPT + "local taken, door = true, redis.call('GET', KEYS[1] .. ':door')\n" + TAKE;
    return refused == -1 ? redis.script(take, key, token, ttl, wanted) : refused;
  }

  /** Releases this many permits; returns whether the token had any. */
  boolean give(String key, String token, int wanted) {
    return redis.script(SWEPT + GIVE + given() + "return i\n", key, token) > 0;
  }

  /** Releases all but this many permits; returns whether the token has any. */
  boolean giveSome(String key, String token, int keep) {
    return redis.script(SWEPT + SHRINK + given() + "return 1\n", key, token, "" + keep) > 0;
  }

  /** What the release script does in addition, with {@code i} permits released. */
  String given() {
    return "";
  }

  /** Listens for releases. */
  Watch listen(String key, Runnable wakeUp) {
    return Watch.NONE;
  }

  /** Prolongs the permits; returns whether the token has any. */
  boolean keep(String key, String token, String ttl) {
    return redis.script(SWEPT + RENEW, key, token, ttl) > 0;
  }

  /** The token of a grant, if any. */
  OptionalLong token(String key) {
    return OptionalLong.empty();
  }

  private static String key(String name) {
    return name + ":permits";
  }

  @Override
  public final LeaseStore permits(int wanted, int of) {
    return new Permitted(wanted, of);
  }

  @Override
  public final CompletionStage<Permits> count(String name) {
    return run(
        () -> {
          int both = (int) redis.script(SWEPT + COUNT, key(name));
          return new Permits(both / 100_000, both % 100_000);
        });
  }

  @Override
  public final CompletionStage<?> resize(String name, int from, int to) {
    return run(
        () -> {
          long now = redis.script(RESIZE, key(name), "" + from, "" + to);
          if (now != to) {
            throw PermitStore.anotherNumber(name, from, now);
          }
          return to;
        });
  }

  @Override
  public final CompletionStage<ReleaseResult> shrink(LeaseKey lease, int keep) {
    return run(
        () ->
            giveSome(key(lease.name()), lease.token(), keep)
                ? ReleaseResult.RELEASED
                : ReleaseResult.NOT_OWNER);
  }

  private final class Permitted extends View {
    private final int wanted;
    private final int of;

    Permitted(int wanted, int of) {
      super(PermitSketch.this);
      this.wanted = wanted;
      this.of = of;
    }

    @Override
    protected AcquireResult acquireNow(AcquireRequest request) {
      String name = request.key().name();
      long reply =
          take(
              key(name),
              request.key().token(),
              Long.toString(request.ttl().toMillis()),
              "" + wanted,
              "" + of,
              request.again() ? "1" : "0");
      if (reply > OTHER_NUMBER) {
        throw PermitStore.anotherNumber(name, of, reply - OTHER_NUMBER);
      }
      return reply == -1
          ? new Granted(token(key(name)), request.ttl())
          : new Held(Duration.ofMillis(reply));
    }

    @Override
    boolean prolong(LeaseKey lease, long ttl) {
      return keep(key(lease.name()), lease.token(), Long.toString(ttl));
    }

    @Override
    boolean free(LeaseKey lease) {
      return give(key(lease.name()), lease.token(), wanted);
    }

    @Override
    public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
      return run(() -> listen(key(waiter.name()), wakeUp));
    }
  }
}
