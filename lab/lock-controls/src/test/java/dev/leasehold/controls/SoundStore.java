package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code SET NX PX} with a token, and comparing scripts. It has no flaw; each control changes one
 * step.
 */
class SoundStore extends OwnedStore {
  /** The guarantees that authors of locks with an owner and a TTL usually assume. */
  static final Set<Guarantee> OWNED_WITH_TTL =
      Set.of(Guarantee.OWNED, Guarantee.SERVER_EXPIRY, Guarantee.CLOCK_INDEPENDENT);

  private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);
  private static final Pattern EVICTS =
      Pattern.compile("maxmemory:[1-9].*maxmemory_policy:(?!noeviction)(\\S+)", Pattern.DOTALL);

  private static final String TAKE =
      """
      if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return -1 end
      if redis.call('GET', KEYS[1]) ~= ARGV[1] then
        return math.max(0, redis.call('PTTL', KEYS[1]))
      end
      if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
        redis.call('PEXPIRE', KEYS[1], ARGV[2])
      end
      return -1
      """;
  private static final String LEFT =
      """
      if redis.call('GET', KEYS[1]) == ARGV[1] then return -1 end
      return math.max(0, redis.call('PTTL', KEYS[1]))
      """;
  static final String FREE =
      """
      if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
      return 0
      """;
  private static final String PROLONG =
      """
      if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
      if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
        redis.call('PEXPIRE', KEYS[1], ARGV[2])
      end
      return 1
      """;

  final RedisCalls redis;
  private final Set<Guarantee> believed;

  /** Tokens whose request has not been answered yet. */
  private final Set<String> unheard = ConcurrentHashMap.newKeySet();

  /** A store whose author claims these besides {@link #OWNED_WITH_TTL}. */
  SoundStore(String address, Guarantee... more) {
    this(new RedisCalls(address), Set.of(with(more, OWNED_WITH_TTL.toArray(Guarantee[]::new))));
  }

  SoundStore(String address, Set<Guarantee> believed) {
    this(new RedisCalls(address), believed);
  }

  SoundStore(RedisCalls redis, Set<Guarantee> believed) {
    this.redis = redis;
    this.believed = believed;
  }

  @Override
  public void start(StoreContext lent) {
    super.start(lent);
    Matcher m = EVICTS.matcher(redis.text("INFO", "memory").orElse(""));
    if (m.find()) {
      throw new LockConfigurationException("the server may evict locks: " + m.group(1));
    }
  }

  /**
   * Takes the lock, if it is free or the token's already.
   *
   * @return empty on success, otherwise for how long it is still taken
   */
  Optional<Duration> take(String key, String token, long ttl) {
    long reply = redis.script(TAKE, key, token, Long.toString(ttl));
    return reply == -1 ? Optional.empty() : Optional.of(Duration.ofMillis(reply));
  }

  /** The fence of a token that has just taken the lock. */
  OptionalLong fence(String token) {
    return OptionalLong.empty();
  }

  /** The same without taking it: empty if the token holds the lock. */
  final Optional<Duration> refusal(String key, String token) {
    long reply = redis.script(LEFT, key, token);
    return reply == -1 ? Optional.empty() : Optional.of(Duration.ofMillis(reply));
  }

  /** Whether the value is this token now. */
  final boolean has(String key, String token) {
    return redis.text("GET", key).filter(token::equals).isPresent();
  }

  /** Frees the lock, if the token holds it. */
  boolean free(String key, String token) {
    return redis.script(FREE, key, token) == 1;
  }

  @Override
  final boolean prolong(LeaseKey lease, long ttl) {
    return prolong(lease.name(), lease.token(), ttl);
  }

  /** Prolongs the lock, if the token holds it. */
  boolean prolong(String key, String token, long ttl) {
    return redis.script(PROLONG, key, token, Long.toString(ttl)) == 1;
  }

  /** The holder and the remaining lease. */
  Optional<StoredLease> holder(String key) {
    return redis
        .text("GET", key)
        .map(
            value -> {
              long left = redis.number("PTTL", key);
              return new StoredLease(
                  value,
                  left == -1 ? FOR_EVER : Duration.ofMillis(Math.max(0, left)),
                  OptionalLong.empty());
            });
  }

  @Override
  protected AcquireResult acquireNow(AcquireRequest request) {
    LeaseKey lease = request.key();
    unheard.add(lease.token());
    Optional<Duration> refusal = take(lease.name(), lease.token(), request.ttl().toMillis());
    unheard.remove(lease.token());
    return refusal
        .<AcquireResult>map(Held::new)
        .orElseGet(() -> new Granted(fence(lease.token()), request.ttl()));
  }

  @Override
  final boolean free(LeaseKey lease) {
    return unheard.remove(lease.token())
        ? freeUnheard(lease.name(), lease.token())
        : free(lease.name(), lease.token());
  }

  /**
   * Frees the lock after a request without an answer. No control changes this: code without an
   * engine only releases what it was granted.
   */
  boolean freeUnheard(String key, String token) {
    return redis.script(FREE, key, token) == 1;
  }

  @Override
  protected final Optional<StoredLease> inspectNow(String name) {
    return holder(name);
  }

  @Override
  public final Set<Guarantee> guarantees() {
    return believed;
  }

  @Override
  public void close() {
    redis.close();
  }
}
