package dev.leasehold.examples;

import dev.leasehold.examples.demo.DemoContention;
import dev.leasehold.examples.demo.Guarantees;
import dev.leasehold.examples.demo.Showcase;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.io.PrintStream;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Several processes increment an unprotected counter: first under a distributed lock, with one of
 * them killed while it holds it, then without a lock. Ends with the guarantees of each backend on
 * the path. Exit status 1 if an update was lost with the lock, or none without it.
 */
public final class Demo {
  private static final PrintStream OUT = System.out;
  private static final int CONSOLE_PORT = 8379;
  private static final Logger LOG = Logger.getLogger("dev.leasehold");

  private Demo() {}

  /** Runs the demo; with the argument "console", then a page that shows locks until Enter. */
  public static void main(String[] args) throws Exception {
    LOG.setLevel(Level.WARNING); // hides the warnings that a node is new and will vote in a minute
    boolean good;
    try (RedisServer server = RedisServers.start();
        RedisServer second = RedisServers.start();
        RedisServer third = RedisServers.start()) {
      OUT.println();
      OUT.println("A Redis of its own runs at " + server.uri() + " (" + server.version() + ").");
      OUT.println();
      good = run(server.uri());
      OUT.println("What each backend on the path guarantees:");
      OUT.println();
      Guarantees.print(List.of(server.uri(), second.uri(), third.uri()), OUT);
      if (List.of(args).contains("console")) {
        OUT.println();
        Showcase.run(server.uri(), CONSOLE_PORT, System.in, OUT);
      }
    }
    System.exit(good ? 0 : 1);
  }

  private static boolean run(String uri) throws Exception {
    OUT.println(
        "1. Four processes add one to a counter in a file, 1000 times each, under the lock");
    OUT.println(
        "   \"demo\". The first to be granted it the 100th time is killed with the lock in");
    OUT.println("   its hand (kill -9); the lease, 2 s here, ends by itself, and the rest go on.");
    OUT.println();
    DemoContention.Result locked = DemoContention.run(uri, DemoContention.Mode.LOCKED, OUT);
    OUT.println();
    OUT.println("   " + locked.verdict());
    OUT.println();
    OUT.println("2. The same without the lock.");
    OUT.println();
    DemoContention.Result unlocked = DemoContention.run(uri, DemoContention.Mode.UNLOCKED, OUT);
    OUT.println();
    OUT.println("   " + unlocked.verdict());
    OUT.println();
    if (locked.lost() != 0) {
      OUT.println("The lock lost updates: that is a bug. Please report it with this output.");
    }
    if (unlocked.lost() == 0) {
      OUT.println("Nothing was lost without the lock, so this run proves nothing.");
    }
    return locked.lost() == 0 && unlocked.lost() > 0;
  }
}
