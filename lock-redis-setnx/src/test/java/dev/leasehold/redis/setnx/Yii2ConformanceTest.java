package dev.leasehold.redis.setnx;

import dev.leasehold.testkit.view.ValueForm;
import org.junit.jupiter.api.DisplayName;

@DisplayName("redis-setnx, format yii2, keeps the rules")
class Yii2ConformanceTest extends FormatConformance {
  Yii2ConformanceTest() {
    super("yii2", ValueForm.YII2);
  }
}
