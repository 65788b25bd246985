package dev.leasehold.jdbc;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.ServiceBackend;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A store of a user's own, on JDBC")
class JdbcConformanceTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return ServiceBackend.of("jdbc", "lock.jdbc.url", H2Server::start).lookingBy(JdbcView::new);
  }
}
