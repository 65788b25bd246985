package dev.leasehold.redis.setnx;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import org.junit.jupiter.api.DisplayName;

@DisplayName("redis-setnx keeps the rules")
class SetnxScriptConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return RedisBackend.of("redis-setnx");
  }
}
