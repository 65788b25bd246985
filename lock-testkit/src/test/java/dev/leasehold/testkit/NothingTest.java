package dev.leasehold.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import dev.leasehold.testkit.view.ServerView;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A store that does nothing is caught")
class NothingTest {

  /** Grants every request. */
  static final class NothingStore extends BlockingLeaseStore {
    @Override
    protected AcquireResult acquireNow(AcquireRequest request) {
      return new AcquireResult.Granted(OptionalLong.empty(), request.ttl());
    }

    @Override
    protected RenewResult renewNow(RenewRequest request) {
      return RenewResult.RENEWED;
    }

    @Override
    protected ReleaseResult releaseNow(LeaseKey lease) {
      return ReleaseResult.RELEASED;
    }

    @Override
    protected Optional<StoredLease> inspectNow(String name) {
      return Optional.empty();
    }

    @Override
    public Set<Guarantee> guarantees() {
      return Set.of();
    }

    @Override
    public void close() {}
  }

  /** The store as the suite wants it. */
  public static final class NothingBackend implements BackendUnderTest {
    @Override
    public String name() {
      return "nothing";
    }

    @Override
    public Reach reach() {
      return Reach.PROCESS;
    }

    @Override
    public LeaseStore open(String address) {
      return new NothingStore();
    }

    @Override
    public Optional<ServerView> view(String address) {
      return Optional.empty();
    }
  }

  @Test
  @DisplayName("on the exclusion rules: EX-1 and EX-2, under contention of all kinds")
  void broken() {
    Set<String> broken = new TreeSet<>();
    try (Suite suite = Suite.of(new NothingBackend())) {
      for (RuleCase test : Suite.tests()) {
        if (test.rule().theme().equals("Exclusion")
            && suite.run(test) instanceof RuleOutcome.Broken why) {
          assertTrue(why.failure() instanceof AssertionError, () -> test + " " + why);
          broken.add(test.rule().id() + " " + test.shows());
        }
      }
    }
    // EX-2 may break too, by how threads happen to run.
    broken.remove("EX-2 ");
    assertEquals(
        Set.of("EX-1 requests for a held lock are refused", "EX-1 threads and managers contend"),
        broken);
  }
}
