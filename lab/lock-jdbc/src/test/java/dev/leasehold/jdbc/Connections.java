package dev.leasehold.jdbc;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** A small pool: one connection for each statement that runs at a time. Thread-safe. */
class Connections implements AutoCloseable {
  private final String url;
  private final String first;
  private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  /**
   * Connects when it has to.
   *
   * @param first is run on each new connection
   */
  Connections(String url, String first) {
    this.url = url;
    this.first = first;
  }

  /** What is done with a statement. */
  interface Work<T> {
    T with(PreparedStatement statement) throws SQLException;
  }

  /** Runs one statement, in a transaction of its own. */
  <T> T run(String sql, Work<T> work, Object... values) {
    Connection connection = null;
    try {
      connection = idle.poll();
      if (connection == null) {
        connection = DriverManager.getConnection(url);
        connection.createStatement().execute(first);
      }
      T result;
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        for (int i = 0; i < values.length; i++) {
          statement.setObject(i + 1, values[i]);
        }
        result = work.with(statement);
      }
      giveBack(connection);
      return result;
    } catch (SQLException e) {
      throw failed(connection, e);
    }
  }

  private void giveBack(Connection connection) {
    idle.push(connection);
    if (closed) {
      close(); // again: it was closed while this one was out
    }
  }

  /** The others of the pool may be as dead as this one. */
  private LockStoreException failed(@Nullable Connection connection, SQLException e) {
    if (connection != null) {
      end(connection);
    }
    endIdle();
    return new LockStoreException(kind(e), String.valueOf(e.getMessage()), e);
  }

  /** By the first two characters of the state, which all databases have in common. */
  private static Kind kind(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    if (state.startsWith("08") || state.startsWith("90")) { // H2's own begin with 90
      return Kind.UNREACHABLE;
    }
    return state.startsWith("40") || state.startsWith("53") ? Kind.UNAVAILABLE : Kind.REFUSED;
  }

  private static void end(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // It is dead: that is why.
    }
  }

  private void endIdle() {
    for (Connection next = idle.poll(); next != null; next = idle.poll()) {
      end(next);
    }
  }

  @Override
  public void close() {
    closed = true;
    endIdle();
  }
}
