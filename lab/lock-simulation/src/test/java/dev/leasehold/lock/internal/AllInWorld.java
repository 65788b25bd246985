package dev.leasehold.lock.internal;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.several.AllLeases;
import dev.leasehold.lock.internal.several.AllLocks;
import dev.leasehold.lock.internal.several.CombinedNames;
import dev.leasehold.lock.internal.several.CombinedStep;
import dev.leasehold.lock.internal.several.CombinedStep.Round;
import dev.leasehold.lock.internal.several.GatherContext;
import dev.leasehold.lock.internal.threads.Clock;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Several locks of a manager at once, in simulated time. {@link AllLocks} itself waits by the JVM's
 * clock and threads, since its locks may belong to several managers: here only its requests are
 * used, and the simulated world waits.
 */
public final class AllInWorld {
  private final List<DistributedLock> locks;
  private final CombinedNames together;
  private final Clock clock;
  private final LockOwner owner;

  /** A composite of these names, which the store must support in one step. */
  public AllInWorld(SimClient client, List<String> names, LockOptions options, LockOwner owner) {
    this.together = together(client.manager().all(names, options));
    this.locks =
        names.stream().map(name -> client.lock(name, together.options()).as(owner)).toList();
    this.clock =
        new Clock(client.node().ticker(), client.node().scheduler(), client.node().executor());
    this.owner = owner;
  }

  private static CombinedNames together(DistributedLock all) {
    try {
      var field = AllLocks.class.getDeclaredField("combined");
      field.setAccessible(true);
      return (CombinedNames) field.get(all);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Takes all locks in one request, or none. */
  public CompletionStage<Optional<Lease>> tryAll() {
    CombinedStep<Lease> step = (places, taken) -> together.take(owner, places, taken);
    return AllLocks.async(locks, step, GatherContext.of(clock))
        .take(Optional.of(Duration.ZERO), parts -> parts.map(this::lease));
  }

  /** Waits for one of them. */
  public CompletionStage<Lease> await(int place) {
    return locks.get(place).acquireAsync();
  }

  /**
   * Takes the other locks in one request, next to a held one, which is released if they are not
   * free.
   */
  public CompletionStage<Optional<Lease>> rest(int place, Lease one) {
    List<Integer> places = new ArrayList<>();
    for (int at = 0; at < locks.size(); at++) {
      if (at != place) {
        places.add(at);
      }
    }
    CompletableFuture<Optional<Lease>> outcome = new CompletableFuture<>();
    together
        .take(owner, places, List.of(one))
        .whenComplete(
            (round, failure) -> {
              if (failure == null && round.refused() == Round.NONE) {
                List<Lease> parts = new ArrayList<>(round.taken());
                parts.add(place, one);
                outcome.complete(Optional.of(lease(parts)));
                return;
              }
              AllLeases.giveBackUnused(one)
                  .whenComplete(
                      (done, failed) -> {
                        if (failure == null) {
                          outcome.complete(Optional.empty());
                        } else {
                          outcome.completeExceptionally(failure);
                        }
                      });
            });
    return outcome;
  }

  private Lease lease(List<Lease> parts) {
    return AllLeases.of("all", parts, together);
  }
}
