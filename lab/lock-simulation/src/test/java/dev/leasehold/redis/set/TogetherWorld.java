package dev.leasehold.redis.set;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.redis.set.TogetherCheck.Hold;
import dev.leasehold.simulation.StoryWorld;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;

/**
 * Clients that take one, two or three of four locks at once, checked by {@link TogetherCheck}. In
 * addition, all requests finish (MU-2), and nothing is left but fences. Not thread-safe.
 */
public abstract class TogetherWorld extends StoryWorld {
  /** The contended names. */
  protected static final List<String> NAMES = List.of("a", "b", "c", "d");

  private static final Duration THINKING = Duration.ofMillis(20);

  /** The length of all leases. */
  protected final Duration lease;

  /** Options with such leases. */
  protected final LockOptions options;

  private final Duration longestHold;
  private final TogetherCheck check = new TogetherCheck(world, this::fail);
  private final List<Owner> owners = new ArrayList<>();

  /** A lease and its names: all requested names, or one of them. */
  public record Part(List<String> names, Lease lease) {}

  /** A world without clients. */
  protected TogetherWorld(long seed, Duration shortestLease) {
    super(seed);
    lease = Duration.ofMillis(random.nextInt((int) shortestLease.toMillis(), 1200));
    longestHold = Duration.ofMillis(random.nextInt(1, 2 * (int) lease.toMillis()));
    options = options(lease).build();
  }

  /** Requests all of these names (two or more) in some way; empty if some are held by others. */
  protected abstract CompletionStage<Optional<List<Part>>> all(
      SimClient client, LockOwner owner, List<String> names);

  @Override
  protected final void come(SimClient client) {
    int count = random.nextInt(1, 4);
    for (int i = 0; i < count; i++) {
      Owner owner = new Owner(client, client.node().name() + "/o" + i);
      owners.add(owner);
      owner.begin();
    }
  }

  @Override
  protected final void gone(SimClient client) {
    owners.removeIf(owner -> owner.diedWith(client));
  }

  /** An owner that repeatedly pauses, takes some locks, works, and releases them. */
  private final class Owner {
    private final SimClient client;
    private final String name;
    private List<Hold> held = List.of();
    private boolean idle;

    Owner(SimClient client, String name) {
      this.client = client;
      this.name = name;
    }

    boolean diedWith(SimClient dead) {
      if (client == dead) {
        held.forEach(check::over);
      }
      return client == dead;
    }

    void begin() {
      later(THINKING, this::attempt);
    }

    private void later(Duration most, Runnable step) {
      client.node().scheduler().schedule(any(most), step);
    }

    private void attempt() {
      if (isStopped()) {
        idle = true;
        return;
      }
      List<String> names = new ArrayList<>(NAMES);
      Collections.shuffle(names, new Random(random.nextLong()));
      List<String> some = List.copyOf(names.subList(0, random.nextInt(1, 4)));
      LockOwner owner = LockOwner.unique(name);
      Map<String, Long> before = check.known();
      CompletionStage<Optional<List<Part>>> asked =
          some.size() > 1
              ? all(client, owner, some)
              : client
                  .lock(some.get(0), options)
                  .as(owner)
                  .acquireAsync()
                  .thenApply(one -> Optional.of(List.of(new Part(some, one))));
      asked.whenComplete(
          (parts, failure) -> {
            if (failure != null || parts.isEmpty()) {
              begin();
            } else {
              taken(parts.get(), before);
            }
          });
    }

    private void taken(List<Part> parts, Map<String, Long> before) {
      held = parts.stream().map(part -> new Hold(name, part.names(), part.lease())).toList();
      for (Hold hold : held) {
        try {
          check.taken(hold, before);
        } catch (RuntimeException e) {
          fail("MU-5: no token: " + hold + ": " + e);
        }
      }
      later(longestHold, this::release);
    }

    private void release() {
      List<Hold> over = held;
      held = List.of();
      over.forEach(check::over);
      release(over, 0);
    }

    private void release(List<Hold> over, int from) {
      if (from == over.size()) {
        begin();
      } else {
        over.get(from)
            .lease()
            .releaseAsync()
            .whenComplete((done, failure) -> release(over, from + 1));
      }
    }
  }

  @Override
  protected final boolean isIdle() {
    return owners.stream().allMatch(owner -> owner.idle);
  }

  @Override
  protected final Duration troubleLasts() {
    return lease.multipliedBy(3);
  }

  /** The key of a name's lock. */
  protected static String lock(String name) {
    return "lh:{" + name + "}";
  }

  @Override
  protected final String story() {
    return check.granted();
  }
}
