package dev.leasehold.redisson;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import org.junit.jupiter.api.DisplayName;

/**
 * The rules of taking, waiting and giving back, which are scripts of this mode. Renewal and loss
 * are those of the plain mode, whose rules {@link RedissonConformanceTest} runs; this mode has no
 * kinds beyond the lock.
 */
@DisplayName("redisson, fair, keeps the rules of taking, waiting and giving back")
class FairConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return RedisBackend.of("redisson").with("lock.redisson.mode", "fair");
  }

  @Override
  protected boolean includes(String ruleId) {
    return ruleId.matches("(EX|LE|RE|RL|WA|FA|FL|FE|AT|MU)-.*");
  }
}
