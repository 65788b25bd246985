package dev.leasehold.spring.boot;

import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** The locks that this application holds and waits for, each with the requesting thread. */
@Endpoint(id = "leasehold")
final class LocksEndpoint {
  private final LocksNow now;

  LocksEndpoint(LocksNow now) {
    this.now = now;
  }

  /** The locks of this process only. */
  @ReadOperation
  public Map<String, List<Map<String, String>>> locks() {
    return Map.of("held", now.held(), "waiting", now.waiting());
  }
}
