package dev.leasehold.redis.set;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import dev.leasehold.testkit.view.KeyLayout;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;

/** The rules on which plain mode differs: what is on the server, and polling for wake-ups. */
@DisplayName("redis-set, plain mode")
class RedisSetPlainConformanceTest extends LockConformance {
  private static final Pattern DIFFERENT =
      Pattern.compile("(EX|RL|RN|WA|FE|FL|IN|AT)-.*|LE-[126]|FA-1");

  @Override
  protected BackendUnderTest backend() {
    return RedisBackend.of("redis-set")
        .with("lock.redis-set.mode", "plain")
        .with(KeyLayout.BARE_NAME);
  }

  @Override
  protected boolean includes(String ruleId) {
    return DIFFERENT.matcher(ruleId).matches();
  }
}
