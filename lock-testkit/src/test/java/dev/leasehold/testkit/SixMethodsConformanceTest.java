package dev.leasehold.testkit;

import org.junit.jupiter.api.DisplayName;

@DisplayName("A store of a user's own, with what a store must have")
class SixMethodsConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return new SixMethodsBackend();
  }
}
