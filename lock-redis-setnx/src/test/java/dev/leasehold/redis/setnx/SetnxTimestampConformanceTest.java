package dev.leasehold.redis.setnx;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import dev.leasehold.testkit.view.ValueForm;
import org.junit.jupiter.api.DisplayName;

@DisplayName("redis-setnx, setnx-timestamp, keeps the rules")
class SetnxTimestampConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return RedisBackend.of("redis-setnx")
        .with("lock.redis-setnx.scheme", "setnx-timestamp")
        .with(ValueForm.EXPIRY_AND_TOKEN);
  }
}
