package dev.leasehold.redis.setnx;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import org.junit.jupiter.api.DisplayName;

/**
 * The rules of waiting and taking. The rest is by the scripts of the store that is not fair; {@link
 * SetnxScriptConformanceTest} runs it.
 */
@DisplayName("redis-setnx, fair, keeps the rules of waiting and taking")
class SetnxFairConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return RedisBackend.of("redis-setnx").with("lock.redis.fair", "true");
  }

  @Override
  protected boolean includes(String ruleId) {
    return ruleId.matches("(EX|WA|FA)-.*");
  }
}
