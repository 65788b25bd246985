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
 * A month's report needs what two branches send, each by a process of its own, and one of them is
 * late. The report that waits for a latch is of both. The one that is made at a time when all have
 * always sent, without a latch, is of one.
 */
public final class MonthlyReport {
  private static final List<String> BRANCHES = List.of("north", "south");

  /** By then somebody will have looked why a branch sends nothing. */
  private static final Duration KEPT = Duration.ofDays(3);

  private MonthlyReport() {}

  /**
   * Of how many branches the reports are.
   *
   * @param atItsTime without the latch
   * @param whenAllHaveSent with it
   */
  record Outcome(int atItsTime, int whenAllHaveSent) {}

  /** Tells of how many branches the reports are. */
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
        int atItsTime = branchesIn(redis); // it is six in the morning
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

  /** One of the processes. */
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
