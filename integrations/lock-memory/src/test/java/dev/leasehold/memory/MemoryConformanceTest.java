package dev.leasehold.memory;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Locks in memory keep the rules")
class MemoryConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return new MemoryUnderTest();
  }
}
