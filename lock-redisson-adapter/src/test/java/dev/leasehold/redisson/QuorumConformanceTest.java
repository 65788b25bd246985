package dev.leasehold.redisson;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import dev.leasehold.testkit.view.KeyLayout;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(
    value = "dev.leasehold.redisson.QuorumOnPath#isOnThePath",
    disabledReason = QuorumOnPath.ELSEWHERE)
@DisplayName("redlock on nodes of Redisson keeps the rules")
class QuorumConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return RedisBackend.of("redlock")
        .with("lock.redlock.node-backend", "redisson")
        .with(KeyLayout.REDISSON);
  }

  /** What depends on the nodes; the quorum's own part is proven on lock-redis-set's nodes. */
  @Override
  protected boolean includes(String ruleId) {
    return ruleId.matches("(EX|RL|FE|FL|AT)-.*|QU-6");
  }
}
