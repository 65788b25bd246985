package dev.leasehold.examples.cases;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A table guarded by fencing tokens. A process reads a balance under the lock and is paused past
 * its lease (a long garbage collection, a suspended machine); another process takes the lock and
 * writes. When the first one resumes and writes the balance it computed, the table rejects the
 * write: its token is too old.
 */
public final class FencedTable {
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final long DEPOSIT_OF_FIRST = 1;
  private static final long DEPOSIT_OF_SECOND = 10;

  private FencedTable() {}

  /** Writes a balance, unless a later holder has written one. */
  static boolean write(Connection table, long balance, Lease lease) throws SQLException {
    try (PreparedStatement update =
        table.prepareStatement(
            "UPDATE ACCOUNT SET BALANCE = ?, FENCE = ? WHERE ID = 1 AND FENCE < ?")) {
      update.setLong(1, balance);
      update.setLong(2, lease.fencingToken());
      update.setLong(3, lease.fencingToken());
      return update.executeUpdate() == 1;
    }
  }

  /** The same without checking the token. */
  private static boolean writeBlindly(Connection table, long balance) throws SQLException {
    try (PreparedStatement update =
        table.prepareStatement("UPDATE ACCOUNT SET BALANCE = ? WHERE ID = 1")) {
      update.setLong(1, balance);
      return update.executeUpdate() == 1;
    }
  }

  /** Prints the fate of the two deposits. */
  public static void main(String[] args) throws Exception {
    for (Mode mode : Mode.values()) {
      Outcome outcome = run(mode);
      System.out.printf(
          "%s: the one that was paused wakes, and what it writes is %s; the balance is %d%n",
          mode, outcome.late(), outcome.balance());
    }
  }

  /**
   * The result.
   *
   * @param late the outcome of the paused process's write
   * @param balance the final balance
   */
  record Outcome(String late, long balance) {}

  static Outcome run(Mode mode) throws Exception {
    try (RedisServer redis = RedisServers.start();
        Database database =
            Database.with(
                "CREATE TABLE ACCOUNT (ID INT PRIMARY KEY, BALANCE BIGINT, FENCE BIGINT)",
                "INSERT INTO ACCOUNT VALUES (1, 0, 0)");
        Child first = teller(redis, database, mode, DEPOSIT_OF_FIRST)) {
      first.next(); // has read the balance
      first.pause();
      try (Child second = teller(redis, database, mode, DEPOSIT_OF_SECOND)) {
        second.next(); // has the lock: the first one's lease has expired
        second.goOn();
        second.next();
      }
      first.resume();
      first.goOn();
      return new Outcome(first.next(), database.number("SELECT BALANCE FROM ACCOUNT WHERE ID = 1"));
    }
  }

  private static Child teller(RedisServer redis, Database database, Mode mode, long deposit)
      throws Exception {
    return Child.start(
        Teller.class, redis.uri(), database.url(), mode.name(), Long.toString(deposit));
  }

  /** One of the tellers. */
  static final class Teller {
    private Teller() {}

    public static void main(String[] args) throws Exception {
      try (LockManager locks = Child.locks(args[0]);
          Connection table = DriverManager.getConnection(args[1])) {
        DistributedLock lock = locks.lock("account-1", LockOptions.fixed(LEASE));
        Lease lease = lock.acquire();
        long balance = read(table) + Long.parseLong(args[3]);
        Child.sayAndWait("read");
        boolean guarded = args[2].equals(Mode.GUARDED.name());
        boolean written = guarded ? write(table, balance, lease) : writeBlindly(table, balance);
        System.out.println(written ? "written" : "refused");
      }
    }

    private static long read(Connection table) throws SQLException {
      try (Statement query = table.createStatement();
          ResultSet rows = query.executeQuery("SELECT BALANCE FROM ACCOUNT WHERE ID = 1")) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }
}
