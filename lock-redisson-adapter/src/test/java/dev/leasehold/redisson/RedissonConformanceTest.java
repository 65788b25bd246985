package dev.leasehold.redisson;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import org.junit.jupiter.api.DisplayName;

@DisplayName("redisson keeps the rules")
class RedissonConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return RedisBackend.of("redisson");
  }
}
