package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.view.ServerView;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A line on the server for all waiters; but a client that finds the lock free takes it. */
public final class LineThatIsPassed extends Control {
  private static final String STAND =
      """
      local time = redis.call('TIME')
      local now = string.format('%.0f', time[1] * 1000000 + time[2])
      redis.call('ZADD', KEYS[1], 'NX', now, ARGV[1])
      return redis.call('PEXPIRE', KEYS[1], 60000)
      """;

  @Override
  public String name() {
    return "fair line with barging";
  }

  /** Not FA-1: whether the releasing client is faster than a polling one depends on the machine. */
  @Override
  boolean concerns(String ruleId) {
    return ruleId.equals("FA-2");
  }

  @Override
  List<String> tells() {
    return List.of("FA-2");
  }

  @Override
  List<String> breaks() {
    return List.of("FA-2");
  }

  @Override
  List<String> spares() {
    return List.of("LE-3", "IN-1");
  }

  @Override
  public LeaseStore open(String address) {
    Set<Guarantee> believed = EnumSet.copyOf(OWNED_WITH_TTL);
    believed.add(Guarantee.FAIR);
    return new SoundStore(address, believed) {
      @Override
      protected AcquireResult acquireNow(AcquireRequest request) {
        AcquireResult result = super.acquireNow(request);
        String line = WithLine.line(request.key().name());
        if (result instanceof AcquireResult.Granted) {
          redis.number("ZREM", line, request.key().token());
        } else if (request.again()) { // it is waiting
          redis.script(STAND, line, request.key().token());
        }
        return result;
      }
    };
  }

  @Override
  public Optional<ServerView> view(String address) {
    return super.view(address).map(view -> new WithLine(view, new RedisCalls(address)));
  }
}
