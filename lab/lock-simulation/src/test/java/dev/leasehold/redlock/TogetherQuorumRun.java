package dev.leasehold.redlock;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.OneByOne;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.redis.set.TogetherWorld;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Several locks, acquired one after another, on a quorum of {@link QuorumNodes}. A waiter for one
 * of them holds none (MU-2), and a refused request has taken none (MU-1).
 */
final class TogetherQuorumRun extends TogetherWorld {
  private final KindMutant mutant;
  private final QuorumNodes nodes;
  private final Duration load;

  TogetherQuorumRun(long seed, KindMutant mutant) {
    super(seed, QuorumNodes.SHORTEST_LEASE);
    this.mutant = mutant;
    this.nodes = new QuorumNodes(world, random, mutant, lease, this::clock);
    this.load = mostlyAboutASecond();
  }

  @Override
  protected Duration load() {
    return load;
  }

  @Override
  protected LeaseStore store(SimNode client) {
    return nodes.store(client, this::network);
  }

  @Override
  protected CompletionStage<Optional<List<Part>>> all(
      SimClient client, LockOwner owner, List<String> names) {
    List<Lease> held = new ArrayList<>();
    List<DistributedLock> locks =
        names.stream().map(name -> watched(client.lock(name, options).as(owner), held)).toList();
    Optional<Duration> atMost =
        switch (random.nextInt(4)) {
          case 0 -> Optional.of(Duration.ZERO);
          case 1 -> Optional.of(any(lease.multipliedBy(3)).plusNanos(1));
          default -> Optional.empty();
        };
    CompletableFuture<Optional<List<Lease>>> asked = OneByOne.take(client, locks, atMost);
    if (random.nextInt(4) == 0) {
      Runnable givesUp = () -> asked.cancel(false);
      client.node().scheduler().schedule(any(lease.multipliedBy(2)), givesUp);
    }
    return asked.thenApply(
        found -> {
          if (found.isEmpty() && held.stream().anyMatch(Lease::isValid)) {
            fail("MU-1: " + owner + " was refused, and holds " + held);
          }
          return found.map(leases -> parts(names, leases));
        });
  }

  private static List<Part> parts(List<String> names, List<Lease> leases) {
    return IntStream.range(0, names.size())
        .mapToObj(i -> new Part(List.of(names.get(i)), leases.get(i)))
        .toList();
  }

  /** Reports a wait while the owner holds a lock, and records grants. */
  private DistributedLock watched(DistributedLock lock, List<Lease> held) {
    return (DistributedLock)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DistributedLock.class},
            (proxy, method, given) -> {
              Object[] arguments = given;
              boolean isTry = method.getName().equals("tryAcquireAsync");
              if (isTry && mutant == KindMutant.SEVERAL_WAITED_FOR) {
                arguments = new Object[] {lease};
              }
              boolean waits =
                  isTry
                      ? !((Duration) arguments[0]).isZero()
                      : method.getName().equals("acquireAsync");
              if (waits && held.stream().anyMatch(Lease::isValid)) {
                fail("MU-2: waits for " + lock + " and holds " + held);
              }
              try {
                Object reply = method.invoke(lock, arguments);
                if (reply instanceof CompletionStage<?> stage) {
                  stage.thenAccept(granted -> add(granted, held));
                }
                return reply;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static void add(Object granted, List<Lease> held) {
    if (granted instanceof Lease one) {
      held.add(one);
    } else if (granted instanceof Optional<?> found && found.isPresent()) {
      held.add((Lease) found.get());
    }
  }

  @Override
  protected void trouble(Duration span) {
    nodes.trouble(span);
  }

  @Override
  protected String left() {
    return nodes.left(
        NAMES.stream().map(name -> lock(name) + ":fence").collect(Collectors.toSet()));
  }
}
