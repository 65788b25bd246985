package dev.leasehold.redlock;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A quorum of nodes in memory")
class MemoryConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return new MemoryQuorum();
  }

  /** What its nodes do, and what they have in common; the rest is proven on real servers. */
  @Override
  protected boolean includes(String ruleId) {
    return ruleId.matches("(EX|FE|LE|AT)-.*|RW-[17]|SE-[178]");
  }
}
