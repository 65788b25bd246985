package dev.leasehold.examples.cases;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Two tellers transfer between two accounts, in opposite directions. If each takes the locks of
 * both accounts at once, all transfers are booked. If they take one lock after the other they
 * deadlock: each holds the lock that the other waits for. Without locks, bookings are lost.
 */
public final class Transfer {
  static final int TIMES = 60;
  private static final long BEGINNING = 1000;
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(1);

  private Transfer() {}

  /** The locking of a transfer. */
  enum Way {
    /** It takes both locks at once. */
    ALL,
    /** It takes the lock of the debited account, then the other. */
    ONE_BY_ONE,
    /** It takes no locks. */
    BARE
  }

  /** Prints the bookings. */
  public static void main(String[] args) throws Exception {
    for (Way way : Way.values()) {
      Outcome outcome = run(way);
      System.out.printf(
          "%s: %d bookings of %d; the balances are %d and %d%s%n",
          way,
          outcome.bookings(),
          4 * TIMES,
          outcome.one(),
          outcome.other(),
          outcome.standStill() ? "; the tellers stood still" : "");
    }
  }

  /** The bookings on both accounts, their balances, and whether both tellers waited in vain. */
  record Outcome(long bookings, long one, long other, boolean standStill) {}

  static Outcome run(Way way) throws Exception {
    try (RedisServer redis = RedisServers.start();
        Database database =
            Database.with(
                "CREATE TABLE ACCOUNT (ID VARCHAR PRIMARY KEY, BALANCE BIGINT, BOOKINGS BIGINT)",
                "INSERT INTO ACCOUNT VALUES ('1', "
                    + BEGINNING
                    + ", 0), ('2', "
                    + BEGINNING
                    + ", 0)");
        Child there = teller(redis, database, way, "1", "2");
        Child back = teller(redis, database, way, "2", "1")) {
      List<String> said = new ArrayList<>();
      for (Child teller : List.of(there, back)) {
        teller.next(); // ready, or holds one lock
      }
      for (Child teller : List.of(there, back)) {
        teller.goOn();
      }
      for (Child teller : List.of(there, back)) {
        said.add(teller.next());
      }
      return new Outcome(
          database.number("SELECT SUM(BOOKINGS) FROM ACCOUNT"),
          database.number("SELECT BALANCE FROM ACCOUNT WHERE ID = '1'"),
          database.number("SELECT BALANCE FROM ACCOUNT WHERE ID = '2'"),
          said.equals(List.of("stands still", "stands still")));
    }
  }

  private static Child teller(RedisServer redis, Database database, Way way, String from, String to)
      throws Exception {
    return Child.start(Teller.class, redis.uri(), database.url(), way.name(), from, to);
  }

  /** One of the tellers. */
  static final class Teller {
    private final LockManager locks;
    private final Connection table;
    private final String from;
    private final String to;

    private Teller(LockManager locks, Connection table, String from, String to) {
      this.locks = locks;
      this.table = table;
      this.from = from;
      this.to = to;
    }

    /** All transfers, with both locks at once: no deadlock, whatever the order of the names. */
    private void transferAll() throws InterruptedException, SQLException {
      for (int i = 0; i < TIMES; i++) {
        try (Lease lease = locks.all("account-" + from, "account-" + to).acquire()) {
          lease.ensureValid();
          book();
        }
      }
    }

    /** A common implementation; the deadlock that would occur sooner or later is forced. */
    private boolean transferOneByOne() throws Exception {
      try (Lease one = locks.lock("account-" + from).acquire()) {
        Child.sayAndWait("has one");
        one.ensureValid();
        Optional<Lease> other = locks.lock("account-" + to).tryAcquire(LONG_ENOUGH);
        System.out.println(other.isPresent() ? "done" : "stands still");
        System.in.read(); // holds it while the other one waits
        return other.isPresent();
      }
    }

    private void transferBare() throws SQLException {
      for (int i = 0; i < TIMES; i++) {
        book();
      }
    }

    private void book() throws SQLException {
      long[] charged = read(from);
      long[] credited = read(to);
      write(from, charged[0] - 1, charged[1] + 1);
      write(to, credited[0] + 1, credited[1] + 1);
    }

    private long[] read(String account) throws SQLException {
      try (PreparedStatement query =
          table.prepareStatement("SELECT BALANCE, BOOKINGS FROM ACCOUNT WHERE ID = ?")) {
        query.setString(1, account);
        try (ResultSet rows = query.executeQuery()) {
          rows.next();
          return new long[] {rows.getLong(1), rows.getLong(2)};
        }
      }
    }

    private void write(String account, long balance, long bookings) throws SQLException {
      try (PreparedStatement update =
          table.prepareStatement("UPDATE ACCOUNT SET BALANCE = ?, BOOKINGS = ? WHERE ID = ?")) {
        update.setLong(1, balance);
        update.setLong(2, bookings);
        update.setString(3, account);
        update.executeUpdate();
      }
    }

    public static void main(String[] args) throws Exception {
      try (LockManager locks = Child.locks(args[0]);
          Connection table = DriverManager.getConnection(args[1])) {
        Teller teller = new Teller(locks, table, args[3], args[4]);
        Way way = Way.valueOf(args[2]);
        if (way == Way.ONE_BY_ONE) {
          teller.transferOneByOne();
          return;
        }
        Child.sayAndWait("ready");
        if (way == Way.ALL) {
          teller.transferAll();
        } else {
          teller.transferBare();
        }
        System.out.println("done");
      }
    }
  }
}
