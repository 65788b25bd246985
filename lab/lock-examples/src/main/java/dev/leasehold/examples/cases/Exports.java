package dev.leasehold.examples.cases;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * At most three concurrent exports by four processes. One process is killed during its export: its
 * permit is free again when its lease ends, and the fourth process begins. Without a semaphore all
 * four export at once.
 */
public final class Exports {
  private static final int PROCESSES = 4;
  private static final int AT_A_TIME = 3;
  private static final String EXPORTING = "exporting";
  private static final Duration LEASE = Duration.ofSeconds(3);

  private Exports() {}

  /**
   * The result.
   *
   * @param atOnce the number of concurrent exports
   * @param done the number of completed exports
   */
  record Outcome(int atOnce, int done) {}

  /** Prints the number of concurrent exports. */
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
      try {
        for (int i = 0; i < PROCESSES; i++) {
          children.add(Child.start(Exporter.class, redis.uri(), mode.name()));
        }
        for (Child child : children) {
          child.next(); // ready
        }
        for (Child child : children) {
          child.goOn();
        }
        List<Child> inside = new ArrayList<>();
        List<Child> waiting = new ArrayList<>();
        for (Child child : children) {
          (child.next().equals(EXPORTING) ? inside : waiting).add(child);
        }
        int atOnce = inside.size();
        inside.remove(0).close(); // killed
        for (Child child : waiting) {
          child.next(); // exports, once the killed process's lease has ended
        }
        inside.addAll(waiting);
        for (Child child : inside) {
          child.goOn();
          child.next(); // done
        }
        return new Outcome(atOnce, inside.size());
      } finally {
        children.forEach(Child::close);
      }
    }
  }

  /** One of the exporting processes. */
  static final class Exporter {
    private Exporter() {}

    public static void main(String[] args) throws Exception {
      try (LockManager locks = Child.locks(args[0])) {
        Child.sayAndWait("ready");
        if (args[1].equals(Mode.BARE.name())) {
          Child.sayAndWait(EXPORTING);
        } else {
          LockOptions options = LockOptions.builder().automaticLease(LEASE).build();
          DistributedSemaphore exports = locks.semaphore("export", AT_A_TIME, options);
          Optional<Lease> first = exports.tryAcquire();
          if (first.isEmpty()) {
            System.out.println("waits");
          }
          try (Lease permit = first.isPresent() ? first.get() : exports.acquire()) {
            Child.sayAndWait(EXPORTING);
            permit.ensureValid();
          }
        }
        System.out.println("done");
      }
    }
  }
}
