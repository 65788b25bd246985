package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.SharedLeaseStore;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A {@link SoundStore} with read/write locks whose waiters poll: readers by the end of their
 * leases, a writer, and a door for who waits. Nothing is wrong with it; the controls spoil it.
 */
class ReadWriteSketch extends SoundStore implements SharedLeaseStore {
  /** Readers whose leases are over are no readers. */
  private static final String SWEPT =
      """
      local time = redis.call('TIME')
      local now = time[1] * 1000 + math.floor(time[2] / 1000)
      redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
      """;

  /** Whether a side has room. */
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

  ReadWriteSketch(String address) {
    this(address, Set.of());
  }

  /** One whose author promises more. */
  ReadWriteSketch(String address, Set<Guarantee> promised) {
    super(address, believed(promised));
  }

  private static Set<Guarantee> believed(Set<Guarantee> promised) {
    EnumSet<Guarantee> all = EnumSet.copyOf(Control.OWNED_WITH_TTL);
    all.addAll(EnumSet.of(Guarantee.SHARED, Guarantee.WRITERS_TURN));
    all.addAll(promised);
    return all;
  }

  /** What begins each script: the readers there are, and how one gets in, or stays. */
  String readers() {
    return SWEPT
        + """
        local function reader(token, ttl)
          redis.call('ZADD', KEYS[1], string.format('%.0f', now + ttl), token)
          if redis.call('PTTL', KEYS[1]) < ttl then redis.call('PEXPIRE', KEYS[1], ttl) end
        end
        """;
  }

  /** How a writer gets in. */
  String writer() {
    return """
    local function writer(token, ttl) redis.call('SET', KEYS[1] .. ':w', token, 'PX', ttl) end
    """;
  }

  /** What a request is told before anybody looks who holds and who waits. */
  String atOnce() {
    return "";
  }

  /** What a renewal is told before anybody looks whose it is. */
  String atRenewal() {
    return "";
  }

  /** What a release is told before anybody looks whose it is. */
  String atRelease() {
    return "";
  }

  /**
   * Takes a side, in one script.
   *
   * @param arguments token, time to live, mode, the token beside, whether it waits
   * @return -1 if so, else for how many ms it is taken yet
   */
  long take(String key, String... arguments) {
    return redis.script(readers() + writer() + atOnce() + LOOK + TAKE + WAIT, key, arguments);
  }

  /** Answers the same, but takes nothing. */
  final long look(String key, String... arguments) {
    return redis.script(readers() + LOOK + "if taken then return -1 end\n" + WAIT, key, arguments);
  }

  /** The token of a grant to a side, where it has one. */
  OptionalLong token(String key, String mode) {
    return OptionalLong.empty();
  }

  /** Whether one that is refused waits at the door. */
  String waits(boolean again) {
    return again ? "1" : "0";
  }

  private static String key(String name) {
    return name + ":rw";
  }

  @Override
  public final LeaseStore reads() {
    return new View("r", "");
  }

  @Override
  public final LeaseStore readsBeside(LeaseKey write) {
    return new View("r", write.token());
  }

  @Override
  public final LeaseStore writes() {
    return new View("w", "");
  }

  private final class View implements LeaseStore {
    private final String mode;
    private final String beside;

    View(String mode, String beside) {
      this.mode = mode;
      this.beside = beside;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      String ttl = Long.toString(request.ttl().toMillis());
      LeaseKey key = request.key();
      return run(
          () -> {
            long reply =
                take(key(key.name()), key.token(), ttl, mode, beside, waits(request.again()));
            return reply == -1
                ? new Granted(token(key(key.name()), mode), request.ttl())
                : new Held(Duration.ofMillis(reply));
          });
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      return batch.stream().map(this::renewOne).toList();
    }

    private CompletionStage<RenewResult> renewOne(RenewRequest request) {
      String ttl = Long.toString(request.ttl().toMillis());
      LeaseKey key = request.key();
      return run(
          () ->
              redis.script(readers() + atRenewal() + RENEW, key(key.name()), key.token(), ttl, mode)
                      == 1
                  ? RenewResult.RENEWED
                  : RenewResult.NOT_OWNER);
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      return run(
          () ->
              redis.script(readers() + atRelease() + GIVE, key(lease.name()), lease.token(), mode)
                      == 1
                  ? ReleaseResult.RELEASED
                  : ReleaseResult.NOT_OWNER);
    }

    @Override
    public CompletionStage<Optional<StoredLease>> inspect(String name) {
      return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public Set<Guarantee> guarantees() {
      return ReadWriteSketch.this.guarantees();
    }

    @Override
    public void close() {
      // The store closes what the views share.
    }
  }
}
