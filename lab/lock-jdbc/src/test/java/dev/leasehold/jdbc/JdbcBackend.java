package dev.leasehold.jdbc;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Setting;
import java.util.List;

/** The backend {@code jdbc}. */
public final class JdbcBackend implements LockBackend {
  static final Setting<String> URL =
      Setting.text("lock.jdbc.url", "jdbc:h2:tcp://localhost/~/locks", "The database.");

  /** For {@link java.util.ServiceLoader}. */
  public JdbcBackend() {}

  @Override
  public String id() {
    return "jdbc";
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(URL);
  }

  @Override
  public LeaseStore open(LockSettings settings) {
    return JdbcLeaseStore.open(settings.get(URL));
  }
}
