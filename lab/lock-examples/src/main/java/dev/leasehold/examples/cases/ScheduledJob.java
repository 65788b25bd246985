package dev.leasehold.examples.cases;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A scheduled job on three instances that runs once at each scheduled time. Their clocks differ, so
 * they start one after another. The first takes the lock and runs the job; the lock stays taken for
 * longer than the clock skew, however quick the job is. A plain release is not enough: a later
 * instance would find the lock free and run the job again.
 */
public final class ScheduledJob {
  private static final int INSTANCES = 3;
  private static final int TIMES = 4;
  private static final Duration EVERY = Duration.ofSeconds(6);
  private static final Duration CLOCKS_APART = Duration.ofMillis(60);

  /** Longer than the clock skew plus the delays of a busy machine; shorter than the interval. */
  private static final Duration AT_LEAST = Duration.ofSeconds(3);

  private ScheduledJob() {}

  /** What an instance does at a scheduled time. */
  enum Way {
    /** It takes a lock with a minimum hold. */
    AT_LEAST,
    /** It takes a lock, and releases it after the job. */
    RELEASED,
    /** It takes no lock. */
    BARE;

    void run(LockManager locks, Job job) throws SQLException {
      if (this == BARE) {
        job.run();
        return;
      }
      LockOptions.Builder options = LockOptions.builder();
      if (this == AT_LEAST) {
        options.atLeast(ScheduledJob.AT_LEAST);
      }
      try (Lease lease = locks.lock("report", options.build()).tryAcquire().orElse(null)) {
        if (lease != null) {
          job.run();
        }
      }
    }
  }

  /** The job. */
  @FunctionalInterface
  interface Job {
    void run() throws SQLException;
  }

  /** Prints how often the job ran. */
  public static void main(String[] args) throws Exception {
    for (Way way : Way.values()) {
      Outcome outcome = run(way);
      System.out.printf(
          "%s: %d instances, %d times: the job ran %d times, at most %d times at once%n",
          way, INSTANCES, outcome.times(), outcome.runs(), outcome.mostAtOneTime());
    }
  }

  /**
   * According to the database: at how many times the job ran, how often in total, and the most runs
   * at one time.
   */
  record Outcome(long times, long runs, long mostAtOneTime) {}

  static Outcome run(Way way) throws Exception {
    try (RedisServer redis = RedisServers.start();
        Database database = Database.with("CREATE TABLE RUN (TIME BIGINT, INSTANCE BIGINT)")) {
      List<Child> instances = new ArrayList<>();
      try {
        for (int i = 0; i < INSTANCES; i++) {
          String late = Long.toString(CLOCKS_APART.multipliedBy(i).toMillis());
          instances.add(Child.start(Instance.class, redis.uri(), database.url(), way.name(), late));
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

  /** One of the instances. */
  static final class Instance {
    private Instance() {}

    public static void main(String[] args) throws Exception {
      ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
      try (LockManager locks = Child.locks(args[0]);
          Connection database = DriverManager.getConnection(args[1])) {
        locks.lock("report").inspect(); // loads classes before the first job is timed
        Child.sayAndWait("ready");
        Way way = Way.valueOf(args[2]);
        Duration late = Duration.ofMillis(Long.parseLong(args[3]));
        List<Future<?>> times = new ArrayList<>();
        for (long time = 1; time <= TIMES; time++) {
          long now = time;
          times.add(
              clock.schedule(
                  () -> {
                    way.run(locks, () -> report(database, now));
                    return null;
                  },
                  EVERY.multipliedBy(time).plus(late).toMillis(),
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
