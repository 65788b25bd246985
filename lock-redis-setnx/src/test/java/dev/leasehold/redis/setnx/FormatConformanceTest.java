package dev.leasehold.redis.setnx;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import dev.leasehold.testkit.view.KeyLayout;
import dev.leasehold.testkit.view.ValueForm;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The foreign formats on the rules on which formats differ: what is stored, by what clock it ends,
 * and polling. The report runs all rules on each.
 */
@DisplayName("redis-setnx keeps the rules in each foreign format")
class FormatConformanceTest {
  @Nested
  @DisplayName("redis-setnx, format millis, keeps the rules")
  class Millis extends Format {
    Millis() {
      super("millis", ValueForm.MILLIS);
    }
  }

  @Nested
  @DisplayName("redis-setnx, format redis-objects, keeps the rules")
  class RedisObjects extends Format {
    RedisObjects() {
      super("redis-objects", ValueForm.REDIS_OBJECTS);
    }
  }

  @Nested
  @DisplayName("redis-setnx, format seconds, keeps the rules")
  class Seconds extends Format {
    Seconds() {
      super("seconds", ValueForm.SECONDS);
    }
  }

  @Nested
  @DisplayName("redis-setnx, format yii2, keeps the rules")
  class Yii2 extends Format {
    Yii2() {
      super("yii2", ValueForm.YII2);
    }
  }

  private abstract static class Format extends LockConformance {
    private static final Pattern DIFFERENT =
        Pattern.compile("EX-[12]|LE-[2356]|RN-[23]|LO-4|WA-6|FA-1|AT-.*|FL-2|IN-2");

    private final String scheme;
    private final ValueForm form;

    Format(String scheme, ValueForm form) {
      this.scheme = scheme;
      this.form = form;
    }

    @Override
    protected BackendUnderTest backend() {
      return RedisBackend.of("redis-setnx")
          .with("lock.redis-setnx.scheme", scheme)
          .with(KeyLayout.BARE_NAME)
          .with(form);
    }

    @Override
    protected boolean includes(String ruleId) {
      return DIFFERENT.matcher(ruleId).matches();
    }
  }
}
