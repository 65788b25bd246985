package dev.leasehold.redis.setnx;

import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import dev.leasehold.testkit.view.KeyLayout;
import dev.leasehold.testkit.view.ValueForm;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The foreign formats on the rules on which formats differ: what is stored, by what clock it ends,
 * and polling. The report runs all rules on each.
 */
@ParameterizedClass(name = "redis-setnx, format {0}, keeps the rules")
@EnumSource(TimestampFormat.class)
@DisplayName("redis-setnx keeps the rules in each foreign format")
class FormatConformanceTest extends LockConformance {
  private static final Pattern DIFFERENT =
      Pattern.compile("EX-[12]|LE-[2356]|RN-[23]|LO-4|WA-6|FA-1|AT-.*|FL-2|IN-2");

  @Parameter TimestampFormat format; // the kit's tests share one instance, so no constructor

  @Override
  protected BackendUnderTest backend() {
    return RedisBackend.of("redis-setnx")
        .with("lock.redis-setnx.scheme", RedisSettings.id(format))
        .with(KeyLayout.BARE_NAME)
        .with(ValueForm.valueOf(format.name()));
  }

  @Override
  protected boolean includes(String ruleId) {
    return DIFFERENT.matcher(ruleId).matches();
  }
}
