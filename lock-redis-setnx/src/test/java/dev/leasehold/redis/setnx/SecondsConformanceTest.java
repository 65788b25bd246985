package dev.leasehold.redis.setnx;

import dev.leasehold.testkit.view.ValueForm;
import org.junit.jupiter.api.DisplayName;

@DisplayName("redis-setnx, format seconds, keeps the rules")
class SecondsConformanceTest extends FormatConformance {
  SecondsConformanceTest() {
    super("seconds", ValueForm.SECONDS);
  }
}
