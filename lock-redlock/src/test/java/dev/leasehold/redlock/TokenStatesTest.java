package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.quorum.IdentifiedStore;
import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.FaultPlan;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimNode;
import dev.leasehold.testkit.sim.SimServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What the quorum keeps of a token, for how long, and which releases are pending")
class TokenStatesTest {
  private static final LockOptions FIXED =
      LockOptions.builder().fixedLease(Duration.ofSeconds(10)).build();
  private static final LockOptions AUTOMATIC =
      LockOptions.builder().automaticLease(Duration.ofSeconds(10)).build();
  private static final Duration LONG = Duration.ofMinutes(5);

  private final SimQuorum sim = new SimQuorum(3);

  private static CompletableFuture<Optional<Lease>> attempt(SimClient client, LockOptions options) {
    return client.lock("l", options).tryAcquireAsync(Duration.ZERO).toCompletableFuture();
  }

  private Lease held(SimClient client, LockOptions options) {
    return sim.world.await(attempt(client, options)).orElseThrow();
  }

  private void release(Lease lease) {
    sim.world.await(lease.releaseAsync());
    sim.run(20);
  }

  @Test
  @DisplayName("A lease that was won after a split vote is renewed for as long as it is held")
  void wonAfterASplitVote() {
    SimClient first = sim.client("a");
    SimClient second = sim.client("b");
    sim.servers.get(2).crash();
    Lease held = held(first, AUTOMATIC);
    sim.servers.get(2).restart(SimServer.Data.KEPT);
    // One node grants, two refuse: what it grants has to be given up, and its token with it.
    CompletableFuture<Lease> waiting =
        second.lock("l", AUTOMATIC).acquireAsync().toCompletableFuture();
    sim.run(1000);
    assertTrue(sim.sent(Operation.RELEASE) > 0, "given up");
    sim.world.run(Duration.ofSeconds(10)); // the holder's renewal takes the third node too
    assertEquals(3, sim.held("l"));
    release(held);
    Lease lease = sim.world.await(waiting);
    sim.world.run(LONG);
    assertTrue(lease.isValid(), "no other owner had it");
    release(lease);
    assertEquals(0, sim.held("l"));
  }

  @Test
  @DisplayName("A lease that became longer than it was taken for is kept for as long")
  void becameLonger() {
    HandOver generous = new HandOver(10, Duration.ofMinutes(1));
    SimClient client = sim.client("c");
    sim.servers.get(2).crash();
    sim.servers.forEach(
        server -> server.alwaysSetsAside(10)); // so that the first holder hands over
    Lease brief = held(client, FIXED.toBuilder().handOver(generous).build());
    LockOptions longer =
        LockOptions.builder().automaticLease(Duration.ofMinutes(10)).handOver(generous).build();
    CompletableFuture<Lease> next = client.lock("l", longer).acquireAsync().toCompletableFuture();
    sim.run(100);
    sim.servers.get(2).restart(SimServer.Data.KEPT); // it takes the lease with the next renewal
    brief.releaseAsync();
    Lease lease = sim.world.await(next);
    assertEquals(brief.fencingToken() + 1, lease.fencingToken(), "handed over in the process");
    sim.world.run(Duration.ofMinutes(15));
    assertTrue(lease.isValid());
    assertEquals(3, sim.held("l"));
    release(lease);
    assertEquals(0, sim.held("l"));
  }

  @Test
  @DisplayName("A release that is refused on one node holds up no other there")
  void refusedRelease() {
    SimNode machine = sim.world.node("c");
    List<LeaseStore> nodes = new ArrayList<>();
    int[] refused = new int[1];
    for (var server : sim.servers) {
      QuorumNode node = (QuorumNode) server.connect(machine, FaultPlan.calm(SimQuorum.WAY));
      nodes.add(
          nodes.size() < 2
              ? node
              : new Delegate(node) {
                @Override
                public CompletionStage<ReleaseResult> release(LeaseKey lease) {
                  if (lease.name().equals("l")) {
                    refused[0]++;
                    return CompletableFuture.failedFuture(
                        new LockStoreException(Kind.REFUSED, "WRONGTYPE"));
                  }
                  return super.release(lease);
                }
              });
    }
    SimClient client = SimClient.open(machine, RedlockLocks.over(nodes).open(), b -> b);
    release(held(client, FIXED));
    sim.servers.get(2).crash();
    Lease other =
        sim.world
            .await(client.lock("o", FIXED).tryAcquireAsync(Duration.ZERO).toCompletableFuture())
            .orElseThrow();
    release(other);
    sim.servers.get(2).restart(SimServer.Data.KEPT);
    int before = refused[0];
    for (int i = 0; i < 100; i++) {
      Lease some =
          sim.world
              .await(client.lock("s", FIXED).tryAcquireAsync(Duration.ZERO).toCompletableFuture())
              .orElseThrow();
      release(some);
    }
    int tries = refused[0] - before;
    assertTrue(tries < 10, "tries of what is refused, in two seconds: " + tries);
    assertEquals(0, sim.held("o"));
  }

  @Test
  @DisplayName(
      "What is stored for locks while a node is away is bounded, and so is what it is" + " sent")
  void aNodeIsAway() {
    SimClient client = sim.client("c");
    sim.servers.get(2).crash();
    int locks = 500;
    for (int i = 0; i < locks; i++) {
      release(held(client, FIXED));
    }
    sim.run(1000);
    long before = releasesTo("n2");
    sim.world.run(Duration.ofMinutes(1));
    long more = releasesTo("n2") - before;
    assertTrue(more < 100, "releases that were sent in vain in a minute: " + more);
    assertEquals(0, sim.stores.get(0).size());
  }

  private long releasesTo(String server) {
    return sim.calls.stream()
        .filter(call -> call.operation() == Operation.RELEASE && call.server().equals(server))
        .count();
  }

  @Test
  @DisplayName("A silent node is freed of everything soon after it resumes")
  void aNodeWasSilent() {
    SimClient client = sim.client("c");
    sim.servers.get(2).node().pause(Duration.ofMinutes(2));
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      String name = "l" + i;
      names.add(name);
      release(
          sim.world
              .await(client.lock(name, FIXED).tryAcquireAsync(Duration.ZERO).toCompletableFuture())
              .orElseThrow());
    }
    sim.world.run(Duration.ofMinutes(2));
    sim.run(5500);
    assertEquals(
        List.of(),
        names.stream().filter(name -> sim.servers.get(2).peek(name).isPresent()).toList());
    assertEquals(0, sim.stores.get(0).size());
  }

  @Test
  @DisplayName("An expired lease that was never released is forgotten")
  void nobodyReleases() {
    SimClient client = sim.client("c");
    for (int i = 0; i < 5; i++) {
      held(client, FIXED);
      sim.world.run(Duration.ofSeconds(11));
    }
    sim.world.run(Duration.ofMinutes(1));
    assertEquals(0, sim.stores.get(0).size());
  }

  @Test
  @DisplayName("A lease that a majority has lost is freed where it still is")
  void lost() {
    SimClient client = sim.client("c");
    Lease lease = held(client, LockOptions.builder().automaticLease(Duration.ofSeconds(3)).build());
    sim.run(20);
    sim.servers.get(0).loseData();
    sim.servers.get(1).loseData();
    sim.run(1500);
    assertFalse(lease.isValid());
    assertEquals(0, sim.held("l"), "well before its lease ends there");
  }

  @Test
  @DisplayName("A waiter that has the lock is in no queue of any node any more")
  void noLine() {
    SimClient first = sim.client("a");
    SimClient second = sim.client("b");
    Lease held = held(first, FIXED);
    CompletableFuture<Lease> waiting = second.lock("l", FIXED).acquireAsync().toCompletableFuture();
    sim.run(3000);
    long left = left();
    sim.servers.get(2).crash(); // does not hear of the release, nor of the next lease
    release(held);
    sim.world.await(waiting);
    sim.run(100);
    // It is down, and gets the message again until it confirms.
    assertTrue(left() > left, "notified the node that did not grant");
  }

  private long left() {
    return sim.calls.stream()
        .filter(call -> call.operation() == Operation.LEAVE && call.server().equals("n2"))
        .count();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  @DisplayName("No token is used again at a node that was asked to free it")
  void neverAgain(int wayOfThoseThatRefuse) {
    // Where the one that grants is the quickest, one question takes several rounds.
    FaultPlan plan =
        call ->
            Fate.after(Duration.ofMillis(call.server().equals("n2") ? 1 : wayOfThoseThatRefuse));
    Set<String> freed = new HashSet<>();
    List<String> wrong = new ArrayList<>();
    long[] votes = new long[1];
    SimNode machine = sim.world.node("c");
    List<LeaseStore> nodes = new ArrayList<>();
    for (var server : sim.servers) {
      nodes.add(
          new Delegate((QuorumNode) server.connect(machine, plan)) {
            @Override
            public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
              votes[0]++;
              if (freed.contains(request.key().token())) {
                wrong.add(request.toString());
              }
              return super.vote(request, proposal);
            }

            @Override
            public CompletionStage<ReleaseResult> release(LeaseKey lease) {
              freed.add(lease.token());
              return super.release(lease);
            }
          });
    }
    SimClient other = sim.client("other");
    sim.servers.get(2).crash();
    held(other, LockOptions.builder().automaticLease(LONG).build());
    SimClient client = SimClient.open(machine, RedlockLocks.over(nodes).open(), b -> b);
    sim.servers.get(2).restart(SimServer.Data.LOST);
    LockOptions seldom =
        LockOptions.builder()
            .fixedLease(Duration.ofSeconds(10))
            .waitStrategy(WaitStrategy.every(Duration.ofMinutes(1)))
            .build();
    client.lock("l", seldom).acquireAsync();
    sim.run(100);
    assertFalse(freed.isEmpty(), "a vote was given up");
    long asked = votes[0];
    sim.servers.get(2).loseData();
    sim.world.run(Duration.ofMinutes(3));
    assertTrue(votes[0] > asked, "it asked again");
    assertEquals(List.of(), wrong);
  }

  /** A name of a server that comes to lead to another one. */
  private static final class Name extends Delegate implements IdentifiedStore {
    private final String first;
    private volatile Optional<Name> moved = Optional.empty();

    Name(String server, QuorumNode node) {
      super(node);
      first = server;
    }

    @Override
    public String serverId() {
      return moved.map(Name::serverId).orElse(first);
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      return moved.map(name -> name.renew(batch)).orElseGet(() -> super.renew(batch));
    }
  }

  @Test
  @DisplayName("Two names that now resolve to one server have one vote in renewals too")
  void oneServerTwoNames() {
    SimNode machine = sim.world.node("c");
    List<Name> nodes = new ArrayList<>();
    for (var server : sim.servers) {
      nodes.add(
          new Name(
              "server " + nodes.size(),
              (QuorumNode) server.connect(machine, FaultPlan.calm(SimQuorum.WAY))));
    }
    SimClient client = SimClient.open(machine, RedlockLocks.over(nodes).open(), b -> b);
    Lease lease = held(client, LockOptions.builder().automaticLease(Duration.ofSeconds(3)).build());
    sim.run(20);
    sim.servers.get(0).loseData();
    nodes.get(2).moved = Optional.of(nodes.get(1));
    sim.world.run(Duration.ofSeconds(4));
    assertFalse(lease.isValid(), "one server is left of it");
  }

  @Test
  @DisplayName("A policy's allowance for drift is kept, however large")
  void driftAllowance() {
    for (int percent : new int[] {1, 10, 20, 50, 90}) {
      SimQuorum own = new SimQuorum(3);
      Duration[] asked = new Duration[1];
      QuorumPolicy wide =
          new QuorumPolicy() {
            @Override
            public boolean isQuorum(NodeSet nodes) {
              return QuorumPolicy.majority().isQuorum(nodes);
            }

            @Override
            public Duration driftAllowance(Duration lease) {
              return lease.multipliedBy(percent).dividedBy(100);
            }

            @Override
            public Duration nodeTimeout(Duration lease) {
              asked[0] = lease;
              return QuorumPolicy.super.nodeTimeout(lease);
            }
          };
      SimClient client = own.client("c", wide, FaultPlan.calm(Duration.ofNanos(1)), b -> b);
      Lease lease = own.world.await(attempt(client, FIXED)).orElseThrow();
      Duration most = asked[0].minus(wide.driftAllowance(asked[0]));
      Duration claimed = lease.remaining();
      assertTrue(
          claimed.compareTo(most) <= 0,
          percent + " of a hundred: " + claimed + " of " + asked[0] + ", allowed are " + most);
    }
  }
}
