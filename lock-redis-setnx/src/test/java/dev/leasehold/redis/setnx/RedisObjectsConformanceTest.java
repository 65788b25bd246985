package dev.leasehold.redis.setnx;

import dev.leasehold.testkit.view.ValueForm;
import org.junit.jupiter.api.DisplayName;

@DisplayName("redis-setnx, format redis-objects, keeps the rules")
class RedisObjectsConformanceTest extends FormatConformance {
  RedisObjectsConformanceTest() {
    super("redis-objects", ValueForm.REDIS_OBJECTS);
  }
}
