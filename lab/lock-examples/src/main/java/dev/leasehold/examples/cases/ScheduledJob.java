package dev.leasehold.examples.cases;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A scheduled job on three instances that runs once at each of its times. Whoever takes that time's
 * lock runs it. Nobody releases it: an instance whose clock is behind comes later, and must find it
 * taken. So the lease is longer than the clocks of the instances are apart.
 */
public final class ScheduledJob {
  private static final int INSTANCES = 3;
  private static final int TIMES = 8;
  private static final Duration EVERY = Duration.ofMillis(250);
  private static final Duration CLOCKS_APART = Duration.ofSeconds(30);

  private ScheduledJob() {}

  /** Whether this instance is the one that runs the job at that time. */
  static boolean isOurs(LockManager locks, String job, long time) {
    // Asynchronously, since a thread that holds a lock could take it again.
    return locks
        .lock(job + "@" + time, LockOptions.fixed(CLOCKS_APART))
        .tryAcquireAsync(Duration.ZERO)
        .toCompletableFuture()
        .join()
        .isPresent();
  }

  /** Tells how often the job ran. */
  public static void main(String[] args) throws Exception {
    for (Mode mode : Mode.values()) {
      Outcome outcome = run(mode);
      System.out.printf(
          "%s: %d instances, %d times: the job ran %d times, at most %d times at once%n",
          mode, INSTANCES, outcome.times(), outcome.runs(), outcome.mostAtOneTime());
    }
  }

  /** What the database says: at how many times it ran, how often in all, and at one time. */
  record Outcome(long times, long runs, long mostAtOneTime) {}

  static Outcome run(Mode mode) throws Exception {
    try (RedisServer redis = RedisServers.start();
        Database database = Database.with("CREATE TABLE RUN (TIME BIGINT, INSTANCE BIGINT)")) {
      List<Child> instances = new ArrayList<>();
      try {
        for (int i = 0; i < INSTANCES; i++) {
          instances.add(Child.start(Instance.class, redis.uri(), database.url(), mode.name()));
        }
        for (Child instance : instances) {
          instance.next(); // ready
        }
        for (Child instance : instances) {
          instance.goOn();
        }
        for (Child instance : instances) {
          instance.next(); // done
        }
      } finally {
        instances.forEach(Child::close);
      }
      return new Outcome(
          database.number("SELECT COUNT(DISTINCT TIME) FROM RUN"),
          database.number("SELECT COUNT(*) FROM RUN"),
          database.number(
              "SELECT MAX(RUNS) FROM (SELECT COUNT(*) AS RUNS FROM RUN GROUP BY TIME)"));
    }
  }

  /** One of the processes. */
  static final class Instance {
    private Instance() {}

    public static void main(String[] args) throws Exception {
      LockSettings settings =
          LockSettings.of(Map.of("lock.backend", "redis-set", "lock.redis.uri", args[0]));
      ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
      try (LockManager locks = LockManager.open(settings);
          Connection database = DriverManager.getConnection(args[1])) {
        Child.sayAndWait("ready");
        boolean guarded = args[2].equals(Mode.GUARDED.name());
        List<Future<?>> times = new ArrayList<>();
        for (long time = 1; time <= TIMES; time++) {
          long now = time;
          times.add(
              clock.schedule(
                  () -> {
                    if (!guarded || isOurs(locks, "report", now)) {
                      report(database, now);
                    }
                    return null;
                  },
                  EVERY.multipliedBy(time).toMillis(),
                  TimeUnit.MILLISECONDS));
        }
        for (Future<?> time : times) {
          time.get();
        }
        System.out.println("done");
      } finally {
        clock.shutdown();
      }
    }

    private static void report(Connection database, long time) throws SQLException {
      try (PreparedStatement insert = database.prepareStatement("INSERT INTO RUN VALUES (?, ?)")) {
        insert.setLong(1, time);
        insert.setLong(2, ProcessHandle.current().pid());
        insert.executeUpdate();
      }
    }
  }
}
