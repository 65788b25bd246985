package dev.leasehold.examples.cases;

import dev.leasehold.lock.LeaderElection;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A service that must run once but is installed twice: it books whatever comes in. The instances
 * elect a leader. The leader is paused (a suspended machine), and the other one is elected when its
 * lease ends. When the first one resumes, it is notified that it no longer leads, and the table
 * rejects the booking it was about to make. Without an election both run, and book in turn.
 */
public final class SingletonService {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final long PAUSE_MILLIS = 10;
  private static final long SOME = 5;

  private SingletonService() {}

  /** Prints which instances booked. */
  public static void main(String[] args) throws Exception {
    for (Mode mode : Mode.values()) {
      Outcome outcome = run(mode);
      System.out.printf(
          "%s: %d instances ran; the bookings pass from one to another %s%n",
          mode,
          outcome.instances(),
          outcome.handOvers() == 1 ? "once" : outcome.handOvers() + " times");
    }
  }

  /**
   * According to the table: the number of instances that booked, and how often the booking instance
   * changed.
   */
  record Outcome(long instances, long handOvers) {}

  static Outcome run(Mode mode) throws Exception {
    try (RedisServer redis = RedisServers.start();
        Database database =
            Database.with(
                "CREATE TABLE BOOKING"
                    + " (ID BIGINT AUTO_INCREMENT PRIMARY KEY, INSTANCE INT, FENCE BIGINT)");
        Child first = Child.start(Instance.class, redis.uri(), database.url(), mode.name(), "1")) {
      first.next(); // runs
      awaitBookings(database, 1);
      try (Child second =
          Child.start(Instance.class, redis.uri(), database.url(), mode.name(), "2")) {
        if (mode == Mode.BARE) {
          second.next();
          awaitBookings(database, 2);
        }
        first.pause();
        if (mode == Mode.GUARDED) {
          second.next(); // is elected: the first one's lease has expired
        }
        awaitBookings(database, 2);
        first.resume();
        if (mode == Mode.GUARDED) {
          first.next(); // has resigned
        } else {
          awaitBookings(database, 1);
          awaitBookings(database, 2);
        }
      }
      return new Outcome(
          database.number("SELECT COUNT(DISTINCT INSTANCE) FROM BOOKING"),
          database.number(
              "SELECT COUNT(*) FROM (SELECT INSTANCE,"
                  + " LAG(INSTANCE) OVER (ORDER BY ID) AS BEFORE FROM BOOKING)"
                  + " WHERE INSTANCE <> BEFORE"));
    }
  }

  private static void awaitBookings(Database database, int instance) throws SQLException {
    String query = "SELECT COUNT(*) FROM BOOKING WHERE INSTANCE = " + instance;
    long before = database.number(query);
    Await.until("instance " + instance + " books", () -> database.number(query) >= before + SOME);
  }

  /** One of the instances. */
  static final class Instance {
    private static final String BOOK =
        "INSERT INTO BOOKING (INSTANCE, FENCE) SELECT ?, ?"
            + " WHERE NOT EXISTS (SELECT * FROM BOOKING WHERE FENCE > ?)";

    private final Connection table;
    private final int number;

    private Instance(Connection table, int number) {
      this.table = table;
      this.number = number;
    }

    /** The leader's work, until it no longer leads. */
    private void bookWhile(Lease lease) {
      System.out.println("runs");
      while (lease.isValid()) {
        book(lease.fencingToken());
      }
    }

    /** Without an election: every installed instance runs. */
    private void bookForEver() {
      System.out.println("runs");
      while (true) {
        book(0);
      }
    }

    private void book(long fence) {
      try (PreparedStatement insert = table.prepareStatement(BOOK)) {
        insert.setInt(1, number);
        insert.setLong(2, fence);
        insert.setLong(3, fence);
        insert.executeUpdate();
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      } catch (SQLException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    public static void main(String[] args) throws Exception {
      LockOptions options = LockOptions.builder().automaticLease(LEASE).build();
      try (LockManager locks = Child.locks(args[0]);
          Connection table = DriverManager.getConnection(args[1])) {
        Instance instance = new Instance(table, Integer.parseInt(args[3]));
        if (args[2].equals(Mode.BARE.name())) {
          instance.bookForEver();
        }
        LeaderElection election =
            LeaderElection.on(locks.lock("booking", options))
                .elected(instance::bookWhile)
                .resigned(why -> System.out.println("resigned"))
                .start();
        System.in.read(); // never ends by itself: the example ends the process
        election.close();
      }
    }
  }
}
