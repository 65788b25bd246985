package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.FaultPlan;
import dev.leasehold.testkit.sim.SimCall;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuorumLeaseStoreTest {
  private static final LockOptions FIXED =
      LockOptions.builder().fixedLease(Duration.ofSeconds(10)).build();
  private static final LockOptions AUTOMATIC =
      LockOptions.builder().automaticLease(Duration.ofSeconds(1)).build();

  private static CompletableFuture<Optional<Lease>> attempt(SimClient client) {
    return client.lock("l", FIXED).tryAcquireAsync(Duration.ZERO).toCompletableFuture();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  @DisplayName("QU-2 for all patterns of dead nodes: held exactly with a majority, and all freed")
  void patterns(int n) {
    for (int dead = 0; dead < 1 << n; dead++) {
      SimQuorum sim = new SimQuorum(n);
      SimClient client = sim.client("c");
      for (int i = 0; i < n; i++) {
        if ((dead & (1 << i)) != 0) {
          sim.servers.get(i).crash();
        }
      }
      int alive = n - Integer.bitCount(dead);
      String pattern = n + " nodes, dead " + Integer.toBinaryString(dead);
      CompletableFuture<Optional<Lease>> attempt = attempt(client);
      sim.run(100);
      assertTrue(attempt.isDone(), pattern);
      if (alive > n / 2) {
        Lease lease = attempt.join().orElseThrow();
        assertTrue(lease.isValid(), pattern);
        assertEquals(alive, sim.held("l"), pattern);
        assertTrue(lease.remaining().compareTo(Duration.ofMillis(9900)) < 0, pattern);
        CompletableFuture<Void> released = lease.releaseAsync().toCompletableFuture();
        sim.run(100);
        assertTrue(released.isDone(), pattern);
        released.join();
      } else {
        assertTrue(attempt.isCompletedExceptionally(), pattern);
      }
      sim.run(100);
      assertEquals(0, sim.held("l"), pattern);
    }
  }

  @Test
  @DisplayName("A second client is refused, and gets in after the release by a wake-up")
  void handOver() {
    SimQuorum sim = new SimQuorum(5);
    SimClient a = sim.client("a");
    SimClient b = sim.client("b");
    Lease held = sim.world.await(attempt(a)).orElseThrow();
    assertTrue(sim.world.await(attempt(b)).isEmpty());
    CompletableFuture<Lease> waiting = b.lock("l", FIXED).acquireAsync().toCompletableFuture();
    sim.run(5000);
    assertFalse(waiting.isDone());
    long before = sim.world.nanos();
    held.releaseAsync();
    Lease next = sim.world.await(waiting);
    assertTrue(sim.world.nanos() - before < 20_000_000, "woken at once");
    assertTrue(next.fencingToken() > held.fencingToken());
  }

  @Test
  @DisplayName("A minimum hold is kept on all nodes that were asked, and over by itself")
  void minimumHold() {
    SimQuorum sim = new SimQuorum(3);
    SimClient client = sim.client("c");
    LockOptions job = LockOptions.builder().atLeast(Duration.ofSeconds(20)).build();
    Lease lease = sim.world.await(client.lock("l", job).acquireAsync());
    SimServer away = sim.servers.get(2);
    away.node().pause(Duration.ofSeconds(2));
    CompletableFuture<Void> released = lease.releaseAsync().toCompletableFuture();
    sim.run(100);
    assertTrue(released.isDone(), "a majority's answer is enough");
    sim.run(5000);
    for (SimServer server : sim.servers) {
      StoredLease kept = server.peek("l").orElseThrow();
      assertTrue(kept.token().startsWith("-"), kept::toString);
      // The one that stood still kept it for the rest that it was given, from when it went on.
      Duration late = server == away ? Duration.ofSeconds(2) : Duration.ZERO;
      Duration most = Duration.ofMillis(15_300).plus(late);
      assertTrue(kept.remaining().compareTo(most) < 0, kept::toString);
      assertTrue(kept.remaining().compareTo(Duration.ofMillis(14_800)) > 0, kept::toString);
    }
    assertEquals(0, sim.sent(Operation.RELEASE), "it is over by itself");
    assertTrue(sim.world.await(attempt(sim.client("d"))).isEmpty());
    sim.run(17_500);
    assertEquals(0, sim.held("l"));
    assertTrue(sim.world.await(attempt(client)).isPresent());
  }

  @Test
  @DisplayName("A failed round leaves no minimum hold behind")
  void abandonedRound() {
    SimQuorum sim = new SimQuorum(3);
    LockOptions job = LockOptions.builder().atLeast(Duration.ofSeconds(20)).build();
    sim.servers.get(1).crash();
    sim.servers.get(2).crash();
    CompletableFuture<Optional<Lease>> none =
        sim.client("c").lock("l", job).tryAcquireAsync(Duration.ZERO).toCompletableFuture();
    sim.run(1000);
    assertTrue(none.isCompletedExceptionally());
    assertEquals(0, sim.held("l"));
  }

  @Test
  @DisplayName("QU-5 renewal continues with a majority, and the lease is lost without one")
  void renewal() {
    SimQuorum sim = new SimQuorum(3);
    SimClient client = sim.client("c");
    Lease lease = sim.world.await(client.lock("l", AUTOMATIC).acquireAsync());
    sim.servers.get(0).crash();
    sim.run(10_000);
    assertTrue(lease.isValid(), "two of three are a majority");
    sim.servers.get(1).crash();
    CompletableFuture<LeaseLoss> loss = lease.lost().toCompletableFuture();
    sim.run(1000);
    assertFalse(lease.isValid());
    assertTrue(loss.isDone(), "signalled");
  }

  @Test
  @DisplayName("A node that lost the key takes it again with the next renewal")
  void takenAgain() {
    SimQuorum sim = new SimQuorum(3);
    SimClient client = sim.client("c");
    Lease lease = sim.world.await(client.lock("l", AUTOMATIC).acquireAsync());
    sim.run(5);
    sim.servers.get(2).loseData();
    assertEquals(2, sim.held("l"));
    sim.run(1000);
    assertEquals(3, sim.held("l"));
    assertTrue(lease.isValid());
  }

  @Test
  @DisplayName("QU-3 a silent node is freed as soon as it answers again")
  void silentNode() {
    SimQuorum sim = new SimQuorum(3);
    SimClient client = sim.client("c");
    sim.servers.get(0).crash();
    sim.servers.get(1).node().pause(Duration.ofSeconds(5));
    CompletableFuture<Optional<Lease>> attempt = attempt(client);
    sim.run(1000);
    assertTrue(attempt.isCompletedExceptionally());
    sim.run(3000);
    assertEquals(0, sim.held("l"), "nothing on the node that answers");
    sim.run(2000);
    sim.run(5000);
    assertEquals(0, sim.held("l"), "nor on the one that was silent");
  }

  @Test
  @DisplayName("QU-4 one hung node of five costs nothing")
  void hungNode() {
    SimQuorum sim = new SimQuorum(5);
    SimClient client = sim.client("c");
    sim.servers.get(3).node().pause(Duration.ofMinutes(1));
    long before = sim.world.nanos();
    Lease lease = sim.world.await(attempt(client)).orElseThrow();
    CompletableFuture<Void> released = lease.releaseAsync().toCompletableFuture();
    sim.world.await(released);
    assertTrue(sim.world.nanos() - before < 10_000_000, "two rounds of 2 ms");
  }

  @Test
  @DisplayName("After the first grant a round is enough: the votes agree")
  void oneRound() {
    SimQuorum sim = new SimQuorum(5);
    SimClient client = sim.client("c");
    long last = 0;
    for (int i = 0; i < 20; i++) {
      Lease lease = sim.world.await(attempt(client)).orElseThrow();
      assertTrue(lease.fencingToken() > last);
      last = lease.fencingToken();
      sim.world.await(lease.releaseAsync());
      sim.run(20);
    }
    assertTrue(sim.sent(Operation.RAISE) <= 10, () -> "raises: " + sim.sent(Operation.RAISE));
  }

  @Test
  @DisplayName("Tokens grow over any pair of majorities")
  void anyMajorities() {
    for (int first = 0; first < 32; first++) {
      for (int second = 0; second < 32; second++) {
        if (Integer.bitCount(first) == 3 && Integer.bitCount(second) == 3) {
          SimQuorum sim = new SimQuorum(5);
          sim.servers.forEach(server -> server.node().stepWallClock(Duration.ofMillis(1)));
          sim.servers.get(0).node().stepWallClock(Duration.ofMinutes(1));
          long one = tokenOf(sim, "a", first);
          long two = tokenOf(sim, "b", second);
          assertTrue(two > one, first + " and " + second);
        }
      }
    }
  }

  @Test
  @DisplayName("An inspection never shows a number above the holder's because of a late vote")
  void lateVote() {
    SimQuorum sim = new SimQuorum(3);
    sim.servers.get(2).node().stepWallClock(Duration.ofMillis(500));
    SimClient holder = sim.client("holder", call -> Fate.after(lateAt(call, "n2")));
    Lease lease = sim.world.await(attempt(holder)).orElseThrow();
    sim.run(100);
    assertEquals(3, sim.held("l"), "the late node has granted it, too");
    for (String late : List.of("n0", "n1", "n2")) {
      sim.client("looks-" + late, call -> Fate.after(lateAt(call, late)));
      QuorumLeaseStore store = sim.stores.get(sim.stores.size() - 1);
      StoredLease told = sim.world.await(store.inspect("l").toCompletableFuture()).orElseThrow();
      assertEquals(lease.fencingToken(), told.fence().orElseThrow(), () -> "without " + late);
    }
    sim.world.await(lease.releaseAsync());
  }

  private static Duration lateAt(SimCall call, String node) {
    return call.server().equals(node) ? SimQuorum.WAY.multipliedBy(20) : SimQuorum.WAY;
  }

  /** A grant by these nodes alone. */
  private static long tokenOf(SimQuorum sim, String name, int nodes) {
    FaultPlan others =
        call ->
            (nodes & (1 << Integer.parseInt(call.server().substring(1)))) != 0
                ? Fate.after(SimQuorum.WAY)
                : Fate.requestLost();
    SimClient client = sim.client(name, others);
    Lease lease = sim.world.await(attempt(client)).orElseThrow();
    sim.world.await(lease.releaseAsync());
    return lease.fencingToken();
  }

  @Test
  @DisplayName("QU-7 a split vote is resolved: one gets through at last")
  void splitVote() {
    for (int contenders : new int[] {2, 3, 5}) {
      SimQuorum sim = new SimQuorum(5);
      List<CompletableFuture<Lease>> attempts = new ArrayList<>();
      for (int i = 0; i < contenders; i++) {
        int offset = i;
        FaultPlan own =
            call ->
                Fate.after(
                    Duration.ofMillis(
                        1 + (Integer.parseInt(call.server().substring(1)) + offset) % 5));
        attempts.add(
            sim.client("c" + i, own).lock("l", FIXED).acquireAsync().toCompletableFuture());
      }
      sim.run(2000);
      assertEquals(1, attempts.stream().filter(CompletableFuture::isDone).count());
    }
  }

  @Test
  @DisplayName("Votes that took as long as the lease are no lock, and are released")
  void tooLate() {
    SimQuorum sim = new SimQuorum(3);
    QuorumPolicy patient =
        new QuorumPolicy() {
          @Override
          public boolean isQuorum(NodeSet nodes) {
            return QuorumPolicy.majority().isQuorum(nodes);
          }

          @Override
          public Duration nodeTimeout(Duration lease) {
            return Duration.ofSeconds(2);
          }
        };
    SimClient client = sim.client("c", patient, FaultPlan.calm(Duration.ofMillis(60)), b -> b);
    LockOptions brief = LockOptions.builder().fixedLease(Duration.ofMillis(100)).build();
    CompletableFuture<Optional<Lease>> attempt =
        client.lock("l", brief).tryAcquireAsync(Duration.ZERO).toCompletableFuture();
    sim.run(1000);
    assertTrue(attempt.isCompletedExceptionally());
    assertEquals(0, sim.held("l"));
  }

  @Test
  @DisplayName("Unanimous: one dead node of three is enough to refuse")
  void unanimous() {
    SimQuorum sim = new SimQuorum(3);
    QuorumPolicy all = nodes -> nodes.size() == nodes.outOf();
    SimClient client = sim.client("c", all, FaultPlan.calm(SimQuorum.WAY), b -> b);
    Lease lease = sim.world.await(attempt(client)).orElseThrow();
    sim.world.await(lease.releaseAsync());
    sim.servers.get(0).crash();
    CompletableFuture<Optional<Lease>> attempt = attempt(client);
    sim.run(1000);
    assertTrue(attempt.isCompletedExceptionally());
    assertEquals(0, sim.held("l"));
  }

  @Test
  @DisplayName("Weighted: the first node counts three of five")
  void weighted() {
    SimQuorum sim = new SimQuorum(3);
    QuorumPolicy heavy = nodes -> nodes.size() + (nodes.contains(0) ? 2 : 0) >= 3;
    SimClient client = sim.client("c", heavy, FaultPlan.calm(SimQuorum.WAY), b -> b);
    sim.servers.get(1).crash();
    sim.servers.get(2).crash();
    assertTrue(sim.world.await(attempt(client)).isPresent());
  }

  @Test
  @DisplayName("Too few nodes and a node that is there twice are refused")
  void wrongNodes() {
    SimServer server = new SimQuorum(3).servers.get(0);
    LeaseStore one =
        server.connect(new SimQuorum(3).world.node("x"), FaultPlan.calm(SimQuorum.WAY));
    List<LeaseStore> two = List.of(one, one);
    List<LeaseStore> same = Collections.nCopies(3, one);
    QuorumPolicy majority = QuorumPolicy.majority();
    var few =
        assertThrows(
            LockConfigurationException.class, () -> RedlockLocks.over(two).policy(majority).open());
    assertTrue(few.getMessage().contains("2 nodes"), few::getMessage);
    var twice =
        assertThrows(
            LockConfigurationException.class,
            () -> RedlockLocks.over(same).policy(majority).open());
    assertTrue(twice.getMessage().contains("twice"), twice::getMessage);
  }

  @Test
  @DisplayName("It promises a quorum and, over nodes that can vote on fences, fencing")
  void guarantees() {
    assertTrue(
        new SimQuorum(3)
            .client("c")
            .manager()
            .guarantees()
            .containsAll(List.of(Guarantee.QUORUM, Guarantee.FENCING, Guarantee.WAKE_UP)));
  }
}
