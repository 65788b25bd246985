package dev.leasehold.testkit;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.MapLeaseStore.Held;
import dev.leasehold.testkit.view.ServerView;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A client that keeps taking the lock goes on after an attempt without an answer")
class RivalTest {
  /** A quorum's attempt may fail so on a busy machine; the rule is about the other client. */
  private static final int UNANSWERED = 3;

  @ParameterizedTest(name = "which took the lock: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("so the rule is kept")
  void goesOn(boolean taken) {
    RuleCase rule =
        Suite.tests().stream()
            .filter(one -> one.shows().equals("beside a client that keeps taking the lock"))
            .findFirst()
            .orElseThrow();
    try (Suite suite = Suite.of(new Unanswering(taken))) {
      assertInstanceOf(RuleOutcome.Kept.class, suite.run(rule));
    }
  }

  private static final class Unanswering implements BackendUnderTest {
    private final Map<String, ConcurrentMap<String, Held>> memories = new ConcurrentHashMap<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final boolean taken;

    Unanswering(boolean taken) {
      this.taken = taken;
    }

    @Override
    public String name() {
      return "once without an answer";
    }

    @Override
    public Reach reach() {
      return Reach.PROCESS;
    }

    @Override
    public LeaseStore open(String address) {
      return new MapLeaseStore(
          memories.computeIfAbsent(address, shared -> new ConcurrentHashMap<>())) {
        @Override
        protected AcquireResult acquireNow(AcquireRequest request) {
          boolean isRival = request.key().token().startsWith("kit:");
          boolean lost = isRival && asked.incrementAndGet() == UNANSWERED;
          if (lost && !taken) {
            throw unanswered();
          }
          AcquireResult result = super.acquireNow(request);
          if (lost) {
            throw unanswered();
          }
          return result;
        }
      };
    }

    private static LockStoreException unanswered() {
      return new LockStoreException(LockStoreException.Kind.UNREACHABLE, "no answer in time");
    }

    @Override
    public Optional<ServerView> view(String address) {
      return Optional.empty();
    }
  }
}
