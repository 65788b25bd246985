package dev.leasehold.redisson;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import org.junit.jupiter.api.DisplayName;

@DisplayName("redisson, fair, keeps the rules")
class FairConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return RedisBackend.of("redisson").with("lock.redisson.mode", "fair");
  }

  /** What a line on the server changes; leases and their renewal are those of the plain mode. */
  @Override
  protected boolean includes(String ruleId) {
    return !ruleId.matches("(LE|RN|LO)-.*");
  }
}
