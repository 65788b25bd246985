package dev.leasehold.redlock;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import dev.leasehold.testkit.view.KeyLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;

/** The rules on which it differs; the report has all. */
@DisplayName("redlock without fencing, as redsync, node-redlock and redis-py write it")
class PlainRedlockConformanceTest extends LockConformance {
  private static final Map<String, String> PLAIN = Map.of("lock.redis-set.mode", "plain");

  @Override
  protected BackendUnderTest backend() {
    return new RedisBackend("redlock", KeyLayout.BARE_NAME, PLAIN) {
      @Override
      public Optional<LeaseStore> quorum(List<? extends LeaseStore> nodes) {
        return super.quorum(nodes.stream().map(Unfenced::new).toList());
      }
    };
  }

  @Override
  protected boolean includes(String ruleId) {
    return ruleId.matches("(EX|RL|IN|QU|AT)-.*|WA-[127]|LE-[12]");
  }

  /** A node that draws no fence, as a server in plain mode. */
  private record Unfenced(LeaseStore node) implements MinimumHold {
    @Override
    public void start(StoreContext context) {
      node.start(context);
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      return node.acquire(request)
          .thenApply(
              result ->
                  result instanceof Granted granted
                      ? new Granted(OptionalLong.empty(), granted.ttl())
                      : result);
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      return node.renew(batch);
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      return node.release(lease);
    }

    @Override
    public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
      return ((MinimumHold) node).keep(lease, rest);
    }

    @Override
    public CompletionStage<Optional<StoredLease>> inspect(String name) {
      return node.inspect(name);
    }

    @Override
    public Set<Guarantee> guarantees() {
      return Set.of(
          Guarantee.OWNED,
          Guarantee.SERVER_EXPIRY,
          Guarantee.CLOCK_INDEPENDENT,
          Guarantee.MINIMUM_HOLD);
    }

    @Override
    public void close() {
      node.close();
    }
  }
}
