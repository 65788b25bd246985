package dev.leasehold.examples.cases;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * At most three exports at a time, over four processes. One of them is killed in the middle of its
 * export: its permit comes back when its lease ends, and the fourth process begins. Without a
 * semaphore all four export at once.
 */
public final class Exports {
  private static final int PROCESSES = 4;
  private static final int AT_A_TIME = 3;
  private static final Duration LEASE = Duration.ofSeconds(3);

  private Exports() {}

  /**
   * What became of it.
   *
   * @param atOnce how many exported at the same time
   * @param done how many exports came to their end
   */
  record Outcome(int atOnce, int done) {}

  /** Tells how many exported at a time. */
  public static void main(String[] args) throws Exception {
    for (Mode mode : Mode.values()) {
      Outcome outcome = run(mode);
      System.out.printf(
          "%s: %d processes want to export, %d do so at a time; one is killed, %d exports are done%n",
          mode, PROCESSES, outcome.atOnce(), outcome.done());
    }
  }

  static Outcome run(Mode mode) throws Exception {
    try (RedisServer redis = RedisServers.start()) {
      List<Child> children = new ArrayList<>();
      BlockingQueue<Child> exporting = new LinkedBlockingQueue<>();
      try {
        for (int i = 0; i < PROCESSES; i++) {
          children.add(Child.start(Exporter.class, redis.uri(), mode.name()));
        }
        for (Child child : children) {
          child.next(); // ready
        }
        for (Child child : children) {
          child.goOn();
          new Thread(() -> tell(child, exporting)).start();
        }
        int first = mode == Mode.GUARDED ? AT_A_TIME : PROCESSES;
        List<Child> inside = new ArrayList<>();
        for (int i = 0; i < first; i++) {
          inside.add(exporting.take());
        }
        Child killed = inside.get(0);
        boolean fourthWaits = exporting.isEmpty();
        killed.close();
        for (int i = first; i < PROCESSES; i++) {
          inside.add(exporting.take()); // when the lease of the one that was killed has ended
        }
        inside.remove(killed);
        for (Child child : inside) {
          child.goOn();
          child.next(); // done
        }
        return new Outcome(fourthWaits ? first : PROCESSES, inside.size());
      } finally {
        children.forEach(Child::close);
      }
    }
  }

  private static void tell(Child child, BlockingQueue<Child> exporting) {
    try {
      child.next(); // exporting
      exporting.add(child);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One of the processes. */
  static final class Exporter {
    private Exporter() {}

    public static void main(String[] args) throws Exception {
      try (LockManager locks = Child.locks(args[0])) {
        Child.sayAndWait("ready");
        if (args[1].equals(Mode.BARE.name())) {
          Child.sayAndWait("exporting");
        } else {
          LockOptions options = LockOptions.builder().automaticLease(LEASE).build();
          DistributedSemaphore exports = locks.semaphore("export", AT_A_TIME, options);
          try (Lease permit = exports.acquire()) {
            Child.sayAndWait("exporting");
            permit.ensureValid();
          }
        }
        System.out.println("done");
      }
    }
  }
}
