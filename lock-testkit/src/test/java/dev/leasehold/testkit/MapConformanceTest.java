package dev.leasehold.testkit;

import org.junit.jupiter.api.DisplayName;

@DisplayName("A store of a user's own, on a map")
class MapConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return new MapBackend();
  }
}
