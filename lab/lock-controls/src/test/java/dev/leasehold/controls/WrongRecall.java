package dev.leasehold.controls;

import static dev.leasehold.controls.Control.Rules.breaks;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A lock whose released leases are kept by their process, and recalled through a list that it pops;
 * with one flaw.
 */
final class WrongRecall extends SoundStore implements RecallStore {
  private enum Flaw {
    DEAF,
    FREES,
    RESERVES_NOTHING
  }

  private static final String TAKE =
      """
      local held = redis.call('GET', KEYS[1])
      local fence = 'fence:' .. KEYS[1]
      local last = tonumber(redis.call('GET', fence) or 0)
      if held == ARGV[1] then
        if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
          redis.call('PEXPIRE', KEYS[1], ARGV[2])
        end
        return { last, 0 }
      end
      if held then return { -1 - math.max(0, redis.call('PTTL', KEYS[1])), held } end
      redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
      local t = redis.call('TIME')
      local v = math.max(last + 1, (t[1] * 1000000 + t[2]) * ARGV[4])
      redis.call('SET', fence, string.format('%.0f', v + ARGV[3] * ARGV[4]), 'PX', 86400000)
      return { v, tonumber(ARGV[3]) }
      """;

  private final String id = UUID.randomUUID().toString();
  private final Map<String, Runnable> watched = new ConcurrentHashMap<>();
  private final Flaw flaw;
  private Watch recalls = Watch.NONE;

  private WrongRecall(String address, Flaw flaw) {
    super(address, Guarantee.FENCING, Guarantee.LINGER);
    this.flaw = flaw;
  }

  static List<Control> all() {
    return List.of(
        control("lingering lease that is not recalled", breaks("ST-5"), Flaw.DEAF),
        control("lingering lease freed by the recall", breaks("ST-1", "ST-7"), Flaw.FREES),
        control("lingering lease with numbers of its own", breaks("ST-3"), Flaw.RESERVES_NOTHING));
  }

  private static Control control(String name, Control.Rules broken, Flaw flaw) {
    return new Control(name, broken, address -> new WrongRecall(address, flaw))
        .concerning("ST-.*")
        .sparing("ST-4", "ST-6", "ST-7");
  }

  @Override
  public void start(StoreContext lent) {
    super.start(lent);
    recalls =
        redis.popping(
            "recall:" + id,
            token -> Optional.ofNullable(watched.get(token)).ifPresent(Runnable::run),
            () -> watched.values().forEach(Runnable::run));
  }

  @Override
  public LeaseKey recallable(LeaseKey fresh) {
    return new LeaseKey(fresh.name(), fresh.token() + "~" + id);
  }

  @Override
  public CompletionStage<Watch> onRecall(LeaseKey lease, Runnable recalled) {
    watched.put(lease.token(), recalled);
    return CompletableFuture.completedFuture(() -> watched.remove(lease.token()));
  }

  @Override
  public CompletionStage<?> recall(LeaseKey lease) {
    String token = lease.token();
    return run(
        () ->
            switch (flaw) {
              case DEAF -> true;
              case FREES -> free(lease.name(), token);
              case RESERVES_NOTHING ->
                  redis.number("RPUSH", "recall:" + token.substring(token.indexOf('~') + 1), token)
                      > 0;
            });
  }

  @Override
  protected AcquireResult acquireNow(AcquireRequest request) {
    List<?> reply =
        redis.listScript(
            TAKE,
            request.key().name(),
            request.key().token(),
            Long.toString(request.ttl().toMillis()),
            Integer.toString(request.handOvers()),
            flaw == Flaw.RESERVES_NOTHING ? "0" : "1");
    long number = (Long) reply.get(0);
    if (number >= 0) {
      int numbers = ((Long) reply.get(1)).intValue();
      return new Granted(OptionalLong.of(number), numbers, request.ttl());
    }
    Duration left = Duration.ofMillis(-1 - number);
    String held = reply.get(1).toString();
    return held.contains("~") ? Held.recallable(left, held) : new Held(left);
  }

  @Override
  public void close() {
    recalls.close();
    super.close();
  }
}
