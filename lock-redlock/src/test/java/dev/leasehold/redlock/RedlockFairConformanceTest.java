package dev.leasehold.redlock;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import org.junit.jupiter.api.DisplayName;

/** The rules of waiting and taking; {@link RedlockConformanceTest} runs the rest. */
@DisplayName("redlock, fair, keeps the rules of waiting and taking")
class RedlockFairConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return RedisBackend.of("redlock").with("lock.redis.fair", "true");
  }

  @Override
  protected boolean includes(String ruleId) {
    return ruleId.matches("(EX|WA|FA)-.*");
  }
}
