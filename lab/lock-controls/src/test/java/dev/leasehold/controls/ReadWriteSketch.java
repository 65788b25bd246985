package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * A {@link SoundStore} with read/write locks whose waiters poll: readers scored by the ends of
 * their leases, a writer, and a door for waiters. It has no flaw; the controls add one.
 */
class ReadWriteSketch extends SoundStore implements ReadWriteStore {
  /** Removes readers whose leases have expired. */
  private static final String SWEPT =
      """
      local time = redis.call('TIME')
      local now = time[1] * 1000 + math.floor(time[2] / 1000)
      redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
      """;

  /** Whether a side can be entered. */
  private static final String LOOK =
      """
      local token, ttl, mode, beside, waits = unpack(ARGV)
      local door = redis.call('GET', KEYS[1] .. ':door')
      local writes = redis.call('GET', KEYS[1] .. ':w')
      local free = not door or door == token
      local taken = false
      if mode == 'w' then
        taken = writes == token or (not writes and free and redis.call('ZCARD', KEYS[1]) == 0)
      else
        taken = redis.call('ZSCORE', KEYS[1], token) or (writes and writes == beside)
          or (not writes and free)
      end
      """;

  private static final String TAKE =
      """
      if taken then
        if mode == 'w' then writer(token, ttl) else reader(token, tonumber(ttl)) end
        if door == token then redis.call('DEL', KEYS[1] .. ':door') end
        return -1
      end
      """;
  private static final String WAIT =
      """
      if waits == '1' and free then redis.call('SET', KEYS[1] .. ':door', token, 'PX', 2000) end
      return math.max(1, redis.call('PTTL', KEYS[1] .. ':w'), redis.call('PTTL', KEYS[1]))
      """;
  private static final String GIVE =
      """
      if ARGV[2] == 'r' then return redis.call('ZREM', KEYS[1], ARGV[1]) end
      if redis.call('GET', KEYS[1] .. ':w') ~= ARGV[1] then return 0 end
      return redis.call('DEL', KEYS[1] .. ':w')
      """;
  private static final String RENEW =
      """
      if ARGV[3] == 'r' then
        if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
        reader(ARGV[1], tonumber(ARGV[2]))
        return 1
      end
      if redis.call('GET', KEYS[1] .. ':w') ~= ARGV[1] then return 0 end
      return redis.call('PEXPIRE', KEYS[1] .. ':w', ARGV[2])
      """;

  /** A store whose author claims these besides read/write locks. */
  ReadWriteSketch(String address, Guarantee... more) {
    super(address, with(more, Guarantee.SHARED, Guarantee.WRITERS_TURN));
  }

  /** The start of each script: the current readers, and how a reader enters or stays. */
  String readers() {
    return SWEPT
        + """
        local function reader(token, ttl)
          redis.call('ZADD', KEYS[1], string.format('%.0f', now + ttl), token)
          if redis.call('PTTL', KEYS[1]) < ttl then redis.call('PEXPIRE', KEYS[1], ttl) end
        end
        """;
  }

  /** How a writer enters. */
  String writer() {
    return """
    local function writer(token, ttl) redis.call('SET', KEYS[1] .. ':w', token, 'PX', ttl) end
    """;
  }

  /** The early answer to a request, before holders and waiters are checked. */
  String atOnce() {
    return "";
  }

  /** The early answer to a renewal, before the owner is checked. */
  String atRenewal() {
    return "";
  }

  /** The early answer to a release, before the owner is checked. */
  String atRelease() {
    return "";
  }

  /**
   * Takes a side, in one script.
   *
   * @param arguments token, TTL, mode, the token beside, whether it waits
   * @return -1 on success, otherwise for how many ms the side is still taken
   */
  long take(String key, String... arguments) {
    return redis.script(readers() + writer() + atOnce() + LOOK + TAKE + WAIT, key, arguments);
  }

  /** The same answer without taking the side. */
  final long look(String key, String... arguments) {
    return redis.script(readers() + LOOK + "if taken then return -1 end\n" + WAIT, key, arguments);
  }

  /** The token of a grant, if any. */
  OptionalLong token(String key, String mode) {
    return OptionalLong.empty();
  }

  /** Whether a refused request waits at the door. */
  String waits(boolean again) {
    return again ? "1" : "0";
  }

  private static String key(String name) {
    return name + ":rw";
  }

  @Override
  public final LeaseStore reads() {
    return new Side("r", "");
  }

  @Override
  public final LeaseStore readsBeside(LeaseKey write) {
    return new Side("r", write.token());
  }

  @Override
  public final LeaseStore writes() {
    return new Side("w", "");
  }

  private final class Side extends View {
    private final String mode;
    private final String beside;

    Side(String mode, String beside) {
      super(ReadWriteSketch.this);
      this.mode = mode;
      this.beside = beside;
    }

    @Override
    protected AcquireResult acquireNow(AcquireRequest request) {
      String key = key(request.key().name());
      String ttl = Long.toString(request.ttl().toMillis());
      long reply = take(key, request.key().token(), ttl, mode, beside, waits(request.again()));
      return reply == -1
          ? new Granted(token(key, mode), request.ttl())
          : new Held(Duration.ofMillis(reply));
    }

    @Override
    boolean prolong(LeaseKey lease, long ttl) {
      String script = readers() + atRenewal() + RENEW;
      return redis.script(script, key(lease.name()), lease.token(), Long.toString(ttl), mode) == 1;
    }

    @Override
    boolean free(LeaseKey lease) {
      String script = readers() + atRelease() + GIVE;
      return redis.script(script, key(lease.name()), lease.token(), mode) == 1;
    }
  }
}
