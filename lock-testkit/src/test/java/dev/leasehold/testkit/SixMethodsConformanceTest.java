package dev.leasehold.testkit;

import org.junit.jupiter.api.DisplayName;

@DisplayName("A user's own store, with the required members")
class SixMethodsConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return new SixMethodsBackend();
  }
}
