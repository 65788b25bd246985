package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.Ports;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServer.Data;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Semaphores on three real servers")
class SlotNodesTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final String SLOTS = "lh:{x}:slots:of";

  private final List<RedisServer> servers = new ArrayList<>();

  @BeforeEach
  void start() {
    for (int i = 0; i < 3; i++) {
      servers.add(RedisServers.start(ServerOptions.defaults()));
    }
    servers.forEach(NodeOperations::admit);
  }

  @AfterEach
  void stop() {
    servers.forEach(RedisServer::close);
  }

  /** A manager that reaches these servers alone. */
  private LockManager openOn(List<RedisServer> reached) {
    return LockManager.open(
        LockSettings.of(
            Map.of(
                "lock.redlock.nodes",
                servers.stream()
                    .map(s -> reached.contains(s) ? s.uri() : "redis://127.0.0.1:" + Ports.free())
                    .collect(Collectors.joining(",")))));
  }

  private static DistributedSemaphore of(LockManager locks, int permits) {
    return locks.semaphore("x", permits, LockOptions.fixed(LONG));
  }

  private static Lease soon(DistributedSemaphore semaphore, int wanted) {
    return Await.value(semaphore.tryAcquireAsync(wanted, LONG)).orElseThrow();
  }

  private static boolean isGranted(DistributedSemaphore semaphore) {
    try {
      Optional<Lease> lease = semaphore.tryAcquire();
      lease.ifPresent(Lease::releaseAsync);
      return lease.isPresent();
    } catch (LockStoreException noQuorum) {
      return false;
    }
  }

  @Test
  @DisplayName("A client refused a slot asks for the free ones")
  void others() {
    try (LockManager one = openOn(servers);
        LockManager other = openOn(servers)) {
      for (int i = 0; i < 5; i++) {
        Lease held = soon(one.semaphore("x" + i, 3), 1);
        Lease two = other.semaphore("x" + i, 3).tryAcquire(2).orElseThrow();
        TreeSet<Integer> all = new TreeSet<>(two.slots());
        all.addAll(held.slots());
        assertEquals(new TreeSet<>(List.of(0, 1, 2)), all);
        two.release();
        held.release();
      }
    }
  }

  @Test
  @DisplayName("Many permits at once are found among those that are free")
  void many() {
    try (LockManager one = openOn(servers);
        LockManager other = openOn(servers)) {
      Lease held = soon(of(one, 200), 100);
      Lease rest = of(other, 200).tryAcquire(100).orElseThrow();
      TreeSet<Integer> all = new TreeSet<>(rest.slots());
      all.addAll(held.slots());
      assertEquals(200, all.size());
      rest.release();
      held.release();
    }
  }

  @Test
  @DisplayName("Each manager reaches two of three, and two permits have two holders")
  void pairs() {
    try (LockManager one = openOn(servers.subList(0, 2));
        LockManager two = openOn(servers.subList(1, 3));
        LockManager three = openOn(List.of(servers.get(0), servers.get(2)))) {
      Lease first = soon(of(one, 2), 1);
      Lease second = soon(of(two, 2), 1);
      assertFalse(isGranted(of(three, 2)), "each of its servers has one of two permits free");
      first.release();
      Lease third = soon(of(three, 2), 1);
      second.release();
      third.release();
    }
  }

  @ParameterizedTest(name = "admitted at once: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("A node that was started again without data gives no permit that is held")
  void restartedEmpty(boolean admitted) {
    try (LockManager one = openOn(servers.subList(0, 2));
        LockManager other = openOn(servers)) {
      Lease held = soon(of(one, 1), 1);
      servers.get(1).kill();
      servers.get(1).restart(Data.LOSE);
      if (admitted) { // the twin: then it would be the second of a majority
        NodeOperations.admit(servers.get(1));
        soon(of(other, 1), 1).releaseAsync();
      } else {
        for (int i = 0; i < 3; i++) {
          assertFalse(isGranted(of(other, 1)), "a second holder");
        }
      }
      assertTrue(held.isValid());
      held.releaseAsync();
    }
  }

  @Test
  @DisplayName("A waiter is woken by any permit that becomes free")
  void wakes() {
    try (LockManager one = openOn(servers);
        LockManager other = openOn(servers)) {
      assertTrue(one.guarantees().containsAll(List.of(Guarantee.PERMITS, Guarantee.SLOTS)));
      Lease first = soon(of(one, 2), 1);
      Lease second = soon(of(one, 2), 1);
      CompletableFuture<Lease> waits = of(other, 2).acquireAsync(1).toCompletableFuture();
      Await.until(
          "it is in line",
          () -> servers.get(0).call("ZCARD", "lh:{x}:slots:wait").equals(Optional.of(1L)));
      second.release();
      Lease third = Await.value(waits);
      assertEquals(second.slots(), third.slots());
      assertTrue(third.fencingToken() > second.fencingToken());
      assertEquals(0, of(one, 2).available());
      first.release();
      third.release();
      Await.until("nothing but what is known of the slots is left", this::isFree);
    }
  }

  private boolean isFree() {
    return servers.stream()
        .allMatch(s -> s.call("KEYS", "lh:{x}*").equals(Optional.of(List.of("lh:{x}:slots:of"))));
  }

  @Test
  @DisplayName("Another number is refused with both, and so is a change of it")
  void number() {
    try (LockManager one = openOn(servers);
        LockManager other = openOn(servers)) {
      Lease held = soon(of(one, 3), 1);
      LockConfigurationException e =
          assertThrows(LockConfigurationException.class, () -> of(other, 5).tryAcquire());
      assertTrue(e.getMessage().contains("3") && e.getMessage().contains("5"), e.getMessage());
      assertFalse(e.getMessage().contains("resize"), "it is no way out: " + e.getMessage());
      LockConfigurationException fixed =
          assertThrows(LockConfigurationException.class, () -> of(one, 3).resize(4));
      assertTrue(fixed.getMessage().contains("Use another name"), fixed.getMessage());
      assertEquals(3, of(one, 3).resize(3).permits(), "nothing changes");
      assertEquals(3, of(one, 5).resize(3).permits(), "it has that number, as on one server");
      for (int wanted : new int[] {5, 7}) {
        LockConfigurationException known =
            assertThrows(LockConfigurationException.class, () -> of(one, 5).resize(wanted));
        assertTrue(known.getMessage().contains("has 3 permits"), known.getMessage());
      }
      held.release();
      DistributedSemaphore unused = one.semaphore("unused", 2);
      assertEquals(2, unused.resize(2).permits());
      LockConfigurationException none =
          assertThrows(LockConfigurationException.class, () -> unused.resize(3));
      assertTrue(none.getMessage().endsWith("request a semaphore of 3"), none.getMessage());
    }
  }

  @Test
  @DisplayName("an invalid number is reported by its key, and left unchanged")
  void noNumber() {
    for (RedisServer each : servers) {
      each.call("HSET", SLOTS, "number", "three");
    }
    try (LockManager locks = openOn(servers)) {
      for (Executable use :
          List.<Executable>of(of(locks, 3)::tryAcquire, () -> of(locks, 3).available())) {
        String words = String.valueOf(assertThrows(LockStoreException.class, use).getMessage());
        assertTrue(words.contains("no number of permits is in " + SLOTS), words);
      }
    }
    for (RedisServer each : servers) {
      assertEquals("three", each.call("HGET", SLOTS, "number").orElseThrow());
    }
  }
}
