package dev.leasehold.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.BlockingLeaseStore;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.testkit.server.RespConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Stores as people write them are caught where they are wrong")
class CaughtTest {
  private enum Flaw {
    NONE,
    TWO_STEPS,
    NO_OWNER,
    LOSER_PROLONGS
  }

  /** A string with a time to live on Redis, without a script. */
  private static final class HandMadeStore extends BlockingLeaseStore {
    private final RespConnection redis;
    private final Flaw flaw;

    HandMadeStore(String address, Flaw flaw) {
      URI uri = URI.create(address);
      this.redis = RespConnection.to(uri.getHost(), uri.getPort(), Duration.ofSeconds(5));
      this.flaw = flaw;
    }

    @Override
    protected synchronized AcquireResult acquireNow(AcquireRequest request) {
      String key = request.key().name();
      String token = request.key().token();
      String ttl = Long.toString(request.ttl().toMillis());
      boolean taken;
      if (flaw == Flaw.TWO_STEPS) {
        taken = redis.number("SETNX", key, token) == 1;
        if (taken) {
          redis.call("PEXPIRE", key, ttl);
        }
      } else {
        taken = redis.call("SET", key, token, "NX", "PX", ttl).isPresent();
      }
      if (!taken && flaw == Flaw.LOSER_PROLONGS) {
        redis.call("PEXPIRE", key, ttl);
      }
      return taken
          ? new AcquireResult.Granted(OptionalLong.empty(), request.ttl())
          : new AcquireResult.Held(Duration.ofMillis(Math.max(0, redis.number("PTTL", key))));
    }

    @Override
    protected synchronized ReleaseResult releaseNow(LeaseKey lease) {
      String key = lease.name();
      if (flaw == Flaw.NO_OWNER) {
        redis.call("DEL", key);
        return ReleaseResult.RELEASED;
      }
      if (flaw == Flaw.TWO_STEPS) {
        boolean mine = redis.call("GET", key).filter(lease.token()::equals).isPresent();
        return mine && redis.number("DEL", key) == 1
            ? ReleaseResult.RELEASED
            : ReleaseResult.NOT_OWNER;
      }
      String script =
          "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end"
              + " return 0";
      return redis.number("EVAL", script, "1", key, lease.token()) == 1
          ? ReleaseResult.RELEASED
          : ReleaseResult.NOT_OWNER;
    }

    @Override
    protected RenewResult renewNow(RenewRequest request) {
      return RenewResult.NOT_OWNER;
    }

    @Override
    protected Optional<StoredLease> inspectNow(String name) {
      return Optional.empty();
    }

    @Override
    public Set<Guarantee> guarantees() {
      return Set.of(Guarantee.OWNED, Guarantee.SERVER_EXPIRY);
    }

    @Override
    public synchronized void close() {
      redis.close();
    }
  }

  private record Backend(Flaw flaw) implements BackendUnderTest {
    @Override
    public String name() {
      return "hand-made, " + flaw;
    }

    @Override
    public Reach reach() {
      return Reach.REDIS;
    }

    @Override
    public LeaseStore open(String address) {
      return new HandMadeStore(address, flaw);
    }

    @Override
    public Optional<ServerView> view(String address) {
      return Optional.of(new RedisView(address, KeyLayout.BARE_NAME));
    }

    @Override
    public String recipe() {
      throw new UnsupportedOperationException("no rule here needs another process");
    }
  }

  /** Runs the rules that these flaws are about. */
  private static Set<String> broken(Flaw flaw) {
    List<String> wanted = List.of("EX-5", "LE-1", "RL-1", "RL-3", "RL-7");
    try (Suite suite = Suite.of(new Backend(flaw))) {
      Stream<RuleCase> tests = Suite.tests().stream().filter(t -> wanted.contains(t.rule().id()));
      return tests
          .filter(test -> suite.run(test) instanceof Verdict.Broken)
          .map(test -> test.rule().id())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  @DisplayName("SET NX PX and a script to release keep these rules")
  void sound() {
    assertEquals(Set.of(), broken(Flaw.NONE));
  }

  @Test
  @DisplayName("SETNX and PEXPIRE, GET and DEL: LE-1 and RL-7")
  void twoSteps() {
    assertEquals(Set.of("LE-1", "RL-7"), broken(Flaw.TWO_STEPS));
  }

  @Test
  @DisplayName("DEL by whoever asks: RL-1, RL-3 and RL-7")
  void noOwner() {
    assertEquals(Set.of("RL-1", "RL-3", "RL-7"), broken(Flaw.NO_OWNER));
  }

  @Test
  @DisplayName("A loser that sets the time to live: EX-5, and no successor ever gets in")
  void loserProlongs() {
    assertEquals(Set.of("EX-5", "RL-1", "RL-7"), broken(Flaw.LOSER_PROLONGS));
  }
}
