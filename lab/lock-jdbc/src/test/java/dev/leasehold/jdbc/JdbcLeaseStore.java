package dev.leasehold.jdbc;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.BlockingLeaseStore;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Locks in a table: a row for each name, with the holder's token and the end of its lease by the
 * database's clock. Each operation is one statement that compares and changes; with two, one in a
 * transaction, a process that stops in between would hold the row for as long as it likes.
 *
 * <p>A row stays when its lock is free, for the count of its fencing numbers.
 */
class JdbcLeaseStore extends BlockingLeaseStore implements MinimumHold {
  /** On each new connection: a server that lost its data has no table. */
  static final String TABLE =
      "CREATE TABLE IF NOT EXISTS lease (name VARCHAR PRIMARY KEY, token VARCHAR NOT NULL,"
          + " until BIGINT NOT NULL, fence BIGINT NOT NULL)";

  /** Microseconds since 1970, by the database's clock. */
  static final String NOW = "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT)";

  /** Numbers follow the time, so that they go on increasing after all data is lost. */
  private static final String TAKE =
      "SELECT fence FROM FINAL TABLE (UPDATE lease SET"
          + " fence = CASE WHEN token = ?1 THEN fence ELSE GREATEST(fence + 1, now) END,"
          + " until = GREATEST(CASE WHEN token = ?1 THEN until ELSE 0 END, now + ?2),"
          + " token = ?1"
          + " WHERE name = ?3 AND (until <= now OR token = ?1))";

  private static final String ADD =
      "INSERT INTO lease SELECT ?1, '', 0, 0"
          + " WHERE NOT EXISTS (SELECT * FROM lease WHERE name = ?1)";

  private static final String LOOK = "SELECT token, until - now, fence FROM lease WHERE name = ?1";

  private static final String RENEW =
      "UPDATE lease SET until = GREATEST(until, now + ?1)"
          + " WHERE name = ?2 AND token = ?3 AND until > now";

  private static final String RELEASE =
      "UPDATE lease SET until = 0, token = '' WHERE name = ?1 AND token = ?2 AND until > now";

  private static final String KEEP =
      "UPDATE lease SET until = LEAST(until, now + ?1), token = ?2"
          + " WHERE name = ?3 AND token = ?4 AND until > now";

  private final Connections connections;

  JdbcLeaseStore(Connections connections) {
    this.connections = connections;
  }

  /** Blocks until the database has answered once. */
  static JdbcLeaseStore open(String url) {
    JdbcLeaseStore store = new JdbcLeaseStore(new Connections(url, TABLE));
    store.inspectNow("");
    return store;
  }

  /** One statement; {@code now} in it is the database's time. */
  private <T> T run(String sql, Connections.Work<T> work, Object... values) {
    return connections.run(sql.replace("now", NOW), work, values);
  }

  /** Whether a statement changed the one row that it may. */
  private boolean changes(String sql, Object... values) {
    return run(sql, statement -> statement.executeUpdate() == 1, values);
  }

  @Override
  protected AcquireResult acquireNow(AcquireRequest request) {
    String name = request.key().name();
    Object[] values = {request.key().token(), micros(request.ttl()), name};
    while (true) {
      OptionalLong fence = run(TAKE, JdbcLeaseStore::number, values);
      if (fence.isPresent()) {
        return new AcquireResult.Granted(fence, request.ttl());
      }
      Optional<StoredLease> held = look(name);
      if (held.isEmpty()) {
        add(name);
      } else if (!held.get().remaining().isZero()) {
        return new AcquireResult.Held(held.get().remaining());
      }
    }
  }

  /** Adds a free row unless there is one; then all clients try to take it. */
  private void add(String name) {
    try {
      changes(ADD, name);
    } catch (LockStoreException e) {
      if (!(e.getCause() instanceof SQLIntegrityConstraintViolationException)) {
        throw e;
      }
    }
  }

  @Override
  protected RenewResult renewNow(RenewRequest request) {
    LeaseKey lease = request.key();
    return changes(RENEW, micros(request.ttl()), lease.name(), lease.token())
        ? RenewResult.RENEWED
        : RenewResult.NOT_OWNER;
  }

  @Override
  protected ReleaseResult releaseNow(LeaseKey lease) {
    return changes(RELEASE, lease.name(), lease.token())
        ? ReleaseResult.RELEASED
        : ReleaseResult.NOT_OWNER;
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return inTurn(List.of(lease), () -> keepNow(lease, rest));
  }

  private ReleaseResult keepNow(LeaseKey lease, Duration rest) {
    String tombstone = "-" + lease.token();
    boolean kept =
        changes(KEEP, micros(rest), tombstone, lease.name(), lease.token())
            || inspectNow(lease.name()).filter(it -> it.token().equals(tombstone)).isPresent();
    return kept ? ReleaseResult.KEPT : ReleaseResult.NOT_OWNER;
  }

  @Override
  protected Optional<StoredLease> inspectNow(String name) {
    return look(name).filter(lease -> !lease.remaining().isZero());
  }

  /** A name's row, also if its lease is over. */
  private Optional<StoredLease> look(String name) {
    return run(
        LOOK,
        statement -> {
          try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
              return Optional.empty();
            }
            Duration left = Duration.of(Math.max(0, rows.getLong(2)), ChronoUnit.MICROS);
            return Optional.of(
                new StoredLease(rows.getString(1), left, OptionalLong.of(rows.getLong(3))));
          }
        },
        name);
  }

  private static OptionalLong number(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
    }
  }

  private static long micros(Duration time) {
    return TimeUnit.MICROSECONDS.convert(time);
  }

  @Override
  public Set<Guarantee> guarantees() {
    return Set.of(
        Guarantee.OWNED,
        Guarantee.SERVER_EXPIRY,
        Guarantee.CLOCK_INDEPENDENT,
        Guarantee.FENCING,
        Guarantee.MINIMUM_HOLD);
  }

  @Override
  public void close() {
    connections.close();
  }
}
