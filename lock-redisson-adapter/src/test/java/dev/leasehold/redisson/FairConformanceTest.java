package dev.leasehold.redisson;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import org.junit.jupiter.api.DisplayName;

/**
 * All rules but RN and LO: renewal is the plain mode's script ({@code renew.lua}), and so is all
 * that tells of a loss; {@link RedissonConformanceTest} runs them. Taking, waiting and freeing are
 * other scripts, which write the time to live themselves.
 */
@DisplayName("redisson, fair, keeps the rules (RN and LO are the plain mode's)")
class FairConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return RedisBackend.of("redisson").with("lock.redisson.mode", "fair");
  }

  @Override
  protected boolean includes(String ruleId) {
    return !ruleId.matches("(RN|LO)-.*");
  }
}
