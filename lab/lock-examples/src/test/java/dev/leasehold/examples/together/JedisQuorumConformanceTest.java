package dev.leasehold.examples.together;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import org.junit.jupiter.api.DisplayName;

/** The rules that its nodes' client has a part in. */
@DisplayName("redlock on nodes of redis-setnx keeps the rules of its nodes")
class JedisQuorumConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return RedisBackend.of("redlock").with("lock.redlock.node-backend", "redis-setnx");
  }

  @Override
  protected boolean includes(String ruleId) {
    return ruleId.matches("(EX|QU|FE|ST)-.*|(SE|RW)-[1-4]|WA-[17]");
  }
}
