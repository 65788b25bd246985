package dev.leasehold.redlock;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.KeyLayout;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import org.junit.jupiter.api.DisplayName;

/** The rules on which it differs; the report has all. */
@DisplayName("redlock without fencing, as redsync, node-redlock and redis-py write it")
class PlainRedlockConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return RedisBackend.of("redlock")
        .with("lock.redis-set.mode", "plain")
        .with(KeyLayout.BARE_NAME);
  }

  @Override
  protected boolean includes(String ruleId) {
    return ruleId.matches("(EX|RL|IN)-.*|WA-[127]|LE-[12]|QU-6");
  }
}
