package dev.leasehold.examples.cases;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.h2.tools.Server;

/** The example's own in-memory database, which its processes reach over loopback. */
final class Database implements AutoCloseable {
  private final String name = "mem:" + UUID.randomUUID();
  private final Server server;
  private final Connection own;

  private Database() throws SQLException {
    System.setProperty("h2.bindAddress", "127.0.0.1");
    server = Server.createTcpServer("-tcpPort", "0").start();
    own = DriverManager.getConnection("jdbc:h2:" + name);
  }

  static Database with(String... statements) throws SQLException {
    Database made = new Database();
    try (Statement statement = made.own.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
    return made;
  }

  /** The URL for other processes. */
  String url() {
    return "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/" + name;
  }

  /** The number returned by a query. */
  long number(String sql) throws SQLException {
    try (Statement statement = own.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Override
  public void close() throws SQLException {
    own.close();
    server.stop();
  }
}
