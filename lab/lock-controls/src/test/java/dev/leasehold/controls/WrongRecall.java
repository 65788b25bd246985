package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A lock whose released leases are kept by their process, and recalled through a list that it pops;
 * with one flaw.
 */
public final class WrongRecall extends Control {
  private final String name;
  private final Flaw flaw;
  private final List<String> breaks;

  private enum Flaw {
    DEAF,
    FREES,
    RESERVES_NOTHING
  }

  private WrongRecall(String name, Flaw flaw, String... breaks) {
    this.name = name;
    this.flaw = flaw;
    this.breaks = List.of(breaks);
  }

  static WrongRecall isNotHeard() {
    return new WrongRecall("lingering lease that is not recalled", Flaw.DEAF, "ST-5");
  }

  static WrongRecall freesAtOnce() {
    return new WrongRecall("lingering lease freed by the recall", Flaw.FREES, "ST-1", "ST-7");
  }

  static WrongRecall reservesNothing() {
    return new WrongRecall(
        "lingering lease with numbers of its own", Flaw.RESERVES_NOTHING, "ST-3");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  boolean concerns(String ruleId) {
    return ruleId.startsWith("ST-");
  }

  @Override
  List<String> tells() {
    return breaks;
  }

  @Override
  List<String> breaks() {
    return breaks;
  }

  @Override
  List<String> spares() {
    return List.of("ST-4", "ST-6", "ST-7");
  }

  @Override
  public LeaseStore open(String address) {
    return new Store(address, flaw);
  }

  private static final class Store extends SoundStore implements RecallStore {
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
    private volatile boolean closed;

    Store(String address, Flaw flaw) {
      super(address, believed());
      this.flaw = flaw;
    }

    private static Set<Guarantee> believed() {
      EnumSet<Guarantee> all = EnumSet.copyOf(OWNED_WITH_TTL);
      all.addAll(EnumSet.of(Guarantee.FENCING, Guarantee.LINGER));
      return all;
    }

    @Override
    public void start(StoreContext context) {
      super.start(context);
      Thread thread = new Thread(this::listen, "control's recalls");
      thread.setDaemon(true);
      thread.start();
    }

    private void listen() {
      try {
        while (!closed) {
          redis
              .call("BLPOP", "recall:" + id, "1")
              .map(reply -> ((List<?>) reply).get(1).toString())
              .map(watched::get)
              .ifPresent(Runnable::run);
        }
      } catch (LockStoreException broken) {
        watched.values().forEach(Runnable::run);
      }
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
                    redis.number(
                            "RPUSH", "recall:" + token.substring(token.indexOf('~') + 1), token)
                        > 0;
              });
    }

    @Override
    protected AcquireResult acquireNow(AcquireRequest request) {
      List<?> reply =
          (List<?>)
              redis
                  .call(
                      "EVAL",
                      TAKE,
                      "1",
                      request.key().name(),
                      request.key().token(),
                      Long.toString(request.ttl().toMillis()),
                      Integer.toString(request.handOvers()),
                      flaw == Flaw.RESERVES_NOTHING ? "0" : "1")
                  .orElseThrow();
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
      closed = true;
      super.close();
    }
  }
}
