package dev.leasehold.redis.setnx;

import dev.leasehold.testkit.view.ValueForm;
import org.junit.jupiter.api.DisplayName;

@DisplayName("redis-setnx, format millis, keeps the rules")
class MillisConformanceTest extends FormatConformance {
  MillisConformanceTest() {
    super("millis", ValueForm.MILLIS);
  }
}
