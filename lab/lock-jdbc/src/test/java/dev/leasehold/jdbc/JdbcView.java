package dev.leasehold.jdbc;

import dev.leasehold.testkit.view.ServerView;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Looks into the table, with a connection and words of its own. */
final class JdbcView implements ServerView {
  private static final String NOW =
      "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT)";

  private final Connection connection;

  JdbcView(String address) {
    try {
      connection = DriverManager.getConnection(address);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Optional<Entry> look(String lockName) {
    String sql = "SELECT token, until - " + NOW + " FROM lease WHERE name = ? AND until > " + NOW;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, lockName);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next()
            ? Optional.of(
                new Entry(
                    rows.getString(1),
                    Optional.of(Duration.of(rows.getLong(2), ChronoUnit.MICROS))))
            : Optional.empty();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void remove(String lockName) {
    change("DELETE FROM lease WHERE name = ?", lockName);
  }

  @Override
  public void put(String lockName, String holder, Duration ttl) {
    String sql = "MERGE INTO lease (name, token, until, fence) VALUES (?, ?, " + NOW + " + ?, 0)";
    change(sql, lockName, holder, ttl.toNanos() / 1000);
  }

  private void change(String sql, Object... values) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      // Its server is gone.
    }
  }
}
