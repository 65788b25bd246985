package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.NodeEvent;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Heard;
import dev.leasehold.testkit.LogLines;
import dev.leasehold.testkit.node.MemoryNodes;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServer.Data;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("What is reported about nodes, and by which policy they are counted")
class NodeHealthTest {
  /** One vote is enough: never right, and easy to see. */
  public static final class OneIsEnough implements QuorumPolicy {
    @Override
    public boolean isQuorum(NodeSet nodes) {
      return !nodes.isEmpty();
    }
  }

  /** As {@link OneIsEnough}. */
  public static final class Another implements QuorumPolicy {
    @Override
    public boolean isQuorum(NodeSet nodes) {
      return !nodes.isEmpty();
    }
  }

  private static LockSettings settings(ServerGroup group) {
    return LockSettings.of(Map.of("lock.redlock.nodes", group.uri()));
  }

  private static void use(LockManager locks) {
    try {
      locks.lock("l").tryAcquire().ifPresent(Lease::release);
    } catch (LockException noQuorum) {
      // as long as it lasts
    }
  }

  private static void awaitTold(
      LockManager locks, List<NodeEvent> told, String what, Predicate<NodeEvent> event) {
    Await.until(
        what,
        () -> {
          use(locks);
          return told.stream().anyMatch(event);
        });
  }

  @Test
  @DisplayName("A listener hears of a node that is slow, in time again, down, not voting, and up")
  void events() {
    HeardNodes listener = new HeardNodes();
    List<NodeEvent> told = listener.events;
    try (LogLines log = new LogLines("dev.leasehold");
        Heard heard = new Heard();
        ServerGroup group = ServerGroup.start(3, ServerOptions.defaults(), NodeOperations::admit);
        LockManager locks =
            LockManager.opener(settings(group)).engine(b -> b.listener(listener)).open()) {
      RedisServer sick = group.servers().get(1);
      String name = sick.uri();
      use(locks);
      sick.pause(); // the other two answer at once, and no caller waits for it
      awaitTold(
          locks, told, "slow", e -> e instanceof NodeEvent.Slow slow && slow.node().equals(name));
      sick.resume();
      awaitTold(
          locks,
          told,
          "in time",
          e -> e instanceof NodeEvent.InTime node && node.node().equals(name));
      sick.kill();
      awaitTold(
          locks, told, "down", e -> e instanceof NodeEvent.Down node && node.node().equals(name));
      sick.restart(Data.LOSE);
      awaitTold(
          locks,
          told,
          "not voting",
          e -> e instanceof NodeEvent.Quarantined node && node.node().equals(name));
      awaitTold(locks, told, "up", e -> e instanceof NodeEvent.Up node && node.node().equals(name));
      for (String line :
          List.of(
              "WARNING {0} of the quorum is repeatedly slow",
              "INFO {0} of the quorum answers in time",
              "WARNING {0} of the quorum is down",
              "INFO {0} was restarted or restored",
              "INFO {0} of the quorum is up again")) {
        assertTrue(
            log.lines().stream().anyMatch(l -> l.startsWith("dev.leasehold.redlock " + line)),
            () -> line + " is not in " + log.lines());
      }
      assertTrue(heard.all().contains(name + " of the quorum is down: "), heard::all);
      assertFalse(heard.all().contains("is down: dev.leasehold."), heard::all);
    }
  }

  @Test
  @DisplayName("A node that could not be opened for want of memory is tried again")
  void outOfMemory() {
    AtomicInteger tries = new AtomicInteger();
    try (MemoryNodes nodes = new MemoryNodes(3)) {
      List<LeaseStore> stores = new ArrayList<>(nodes.clients());
      LeaseStore third = stores.remove(2);
      ReconnectingNode late =
          new ReconnectingNode(
              "third",
              () -> {
                int now = tries.incrementAndGet();
                if (now == 1) {
                  throw new LockStoreException(Kind.UNREACHABLE, "not there yet");
                }
                if (now == 2) {
                  throw new OutOfMemoryError("unable to create native thread");
                }
                return third;
              });
      stores.add(late);
      try (LockManager locks = RedlockLocks.over(stores).manager()) {
        use(locks);
        Await.until("it is open", late::isOpen);
      }
    }
  }

  @Test
  @DisplayName("An even number of nodes works, and the log says what it tolerates")
  void evenNumber() {
    try (LogLines log = new LogLines("dev.leasehold");
        MemoryNodes nodes = new MemoryNodes(4);
        LockManager locks = RedlockLocks.over(nodes.clients()).manager()) {
      locks.lock("l").tryAcquire().orElseThrow().release();
      assertEquals(1, log.lines().size());
      assertTrue(
          log.lines().get(0).startsWith("dev.leasehold.redlock WARNING a quorum of"),
          log.lines().get(0));
    }
  }

  @Test
  @DisplayName("A policy that ServiceLoader finds replaces the majority; two are an error")
  void policyByServiceLoader(@TempDir Path folder) throws Exception {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Path file = services.resolve(QuorumPolicy.class.getName());
    try (ServerGroup group =
        ServerGroup.start(3, ServerOptions.defaults(), NodeOperations::admit)) {
      Files.writeString(file, OneIsEnough.class.getName());
      try (LockManager majority = LockManager.open(settings(group));
          LockManager one = openWith(folder, group)) {
        use(majority);
        group.servers().get(0).kill();
        group.servers().get(1).kill();
        one.lock("l").tryAcquire().orElseThrow().release();
        assertThrows(LockException.class, () -> majority.lock("l").tryAcquire());
      }
      Files.writeString(file, OneIsEnough.class.getName() + "\n" + Another.class.getName());
      LockConfigurationException e =
          assertThrows(LockConfigurationException.class, () -> openWith(folder, group));
      assertTrue(e.getMessage().contains("several quorum policies"), e.getMessage());
    }
  }

  private static LockManager openWith(Path folder, ServerGroup group) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader more = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
      thread.setContextClassLoader(more);
      return LockManager.open(settings(group));
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
