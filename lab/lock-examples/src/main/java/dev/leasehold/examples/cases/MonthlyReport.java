package dev.leasehold.examples.cases;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A monthly report needs the data of two branches, each sent by its own process, and one is late. A
 * report that waits for a latch includes both. A report made without a latch, at a time when all
 * have usually sent, includes only one.
 */
public final class MonthlyReport {
  private static final List<String> BRANCHES = List.of("north", "south");

  /** Until then, a missing branch will have been noticed. */
  private static final Duration KEPT = Duration.ofDays(3);

  private MonthlyReport() {}

  /**
   * The number of branches included in each report.
   *
   * @param atItsTime without the latch
   * @param whenAllHaveSent with it
   */
  record Outcome(int atItsTime, int whenAllHaveSent) {}

  /** Prints how many branches each report includes. */
  public static void main(String[] args) throws Exception {
    Outcome outcome = run();
    System.out.printf(
        "%d branches send, one of them late. The report that is made at its time is of %d, the one"
            + " that waits for the latch of %d%n",
        BRANCHES.size(), outcome.atItsTime(), outcome.whenAllHaveSent());
  }

  static Outcome run() throws Exception {
    try (RedisServer redis = RedisServers.start();
        LockManager locks = Child.locksOnLettuce(redis.uri())) {
      List<Child> branches = new ArrayList<>();
      try {
        for (String branch : BRANCHES) {
          branches.add(Child.start(Branch.class, redis.uri(), branch));
        }
        for (Child branch : branches) {
          branch.next(); // ready
        }
        DistributedLatch sent = sent(locks);
        sent.open(BRANCHES.size(), KEPT);
        CompletableFuture<Integer> whenAllHaveSent =
            sent.awaitAsync().thenApply(now -> branchesIn(redis)).toCompletableFuture();
        send(branches.get(0));
        int atItsTime = branchesIn(redis); // six in the morning
        send(branches.get(1));
        return new Outcome(atItsTime, whenAllHaveSent.get(1, TimeUnit.MINUTES));
      } finally {
        branches.forEach(Child::close);
      }
    }
  }

  private static void send(Child branch) throws Exception {
    branch.goOn();
    branch.next(); // sent
  }

  private static int branchesIn(RedisServer redis) {
    return (int)
        BRANCHES.stream().filter(branch -> redis.call("GET", "from-" + branch).isPresent()).count();
  }

  private static DistributedLatch sent(LockManager locks) {
    return locks.latch("sent-2026-11");
  }

  /** One of the branches. */
  static final class Branch {
    private Branch() {}

    public static void main(String[] args) throws Exception {
      RedisClient client = RedisClient.create(args[0]);
      try (LockManager locks = Child.locksOnLettuce(args[0]);
          StatefulRedisConnection<String, String> database = client.connect()) {
        Child.sayAndWait("ready");
        database.sync().set("from-" + args[1], "4711 bookings");
        sent(locks).countDown();
        System.out.println("sent");
      } finally {
        client.shutdown();
      }
    }
  }
}
