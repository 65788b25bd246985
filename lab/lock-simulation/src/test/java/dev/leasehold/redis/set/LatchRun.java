package dev.leasehold.redis.set;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.LatchExpiredException;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.simulation.StoryWorld;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Latches on a server that is paused and crashes, and keeps its data. Each name has one latch; some
 * expire before they are at zero. Checks that waiters pass once enough count-downs have started,
 * and not before (CL-1, CL-2); that an expiry is only reported after the fact, and not for a latch
 * at zero; and that all waiters finish and nothing is left (CL-3).
 */
public final class LatchRun extends StoryWorld {
  private static final Duration USUAL_WAY = Duration.ofMillis(2);
  private static final Duration STEP = Duration.ofMillis(300);
  private static final Duration LONG = Duration.ofHours(1);

  /** An hour for the tokens of count-downs beyond the latch, and a margin for clocks. */
  private static final Duration LEAVES_AFTER = LONG.plus(Duration.ofMinutes(90));

  private final ScriptServer server;
  private final List<Latch> latches = new ArrayList<>();
  private final Map<SimNode, LatchStore> stores = new HashMap<>();
  private final List<List<Object>> waiters = new ArrayList<>();
  private final StringBuilder story = new StringBuilder();

  /** The known state of a latch. */
  private static final class Latch {
    final String name;
    final int count;
    final Duration keptFor;
    long openedAt = -1;
    boolean open;
    int begun;
    @Nullable SimClient counting;
    int counted;
    boolean passed;
    boolean expired;

    Latch(String name, int count, Duration keptFor) {
      this.name = name;
      this.count = count;
      this.keptFor = keptFor;
    }

    /** Whether an expiry was reported. */
    boolean isOver() {
      return passed || expired;
    }

    /** By the server's clock, which may be fast. */
    boolean mayBeOver(long now) {
      return openedAt >= 0 && now - openedAt >= keptFor.toNanos() / 100 * 99;
    }

    @Override
    public String toString() {
      return "latch %s of %d, kept for %s: %d count-downs begun, %d counted"
          .formatted(name, count, keptFor, begun, counted);
    }
  }

  /** A world whose server runs scripts as changed by a mutant. */
  public LatchRun(long seed, UnaryOperator<String> change) {
    super(seed);
    server = new ScriptServer(world.node("server", clock()), change);
    for (int i = 0; i < 4; i++) {
      Duration keptFor = i < 2 ? LONG : Duration.ofMillis(random.nextInt(1, 4000));
      latches.add(new Latch("l" + i, random.nextInt(1, 5), keptFor));
    }
  }

  @Override
  protected LeaseStore store(SimNode client) {
    LeaseStore store = server.store(client, network(USUAL_WAY));
    stores.put(client, (LatchStore) store);
    return store;
  }

  @Override
  protected void come(SimClient client) {
    for (Latch latch : latches) {
      later(client, () -> open(latch, client));
      int count = random.nextInt(1, 3);
      for (int i = 0; i < count; i++) {
        List<Object> waiter = List.of(client, latch, i);
        waiters.add(waiter);
        later(client, () -> await(latch, client, waiter));
      }
      later(client, () -> countDown(latch, client));
    }
  }

  @Override
  protected void gone(SimClient client) {
    waiters.removeIf(waiter -> waiter.contains(client));
    for (Latch latch : latches) {
      latch.counting = latch.counting == client ? null : latch.counting;
    }
  }

  private void later(SimClient client, Runnable step) {
    client.node().scheduler().schedule(any(STEP), step);
  }

  /**
   * Several clients repeat the opening with the same token until it is confirmed, as one engine
   * does.
   */
  private void open(Latch latch, SimClient client) {
    if (latch.open || isAtEnd()) {
      return;
    }
    latch.openedAt = latch.openedAt < 0 ? world.nanos() : latch.openedAt;
    stores
        .get(client.node())
        .latches()
        .open(new LeaseKey(latch.name, "the-only"), latch.count, latch.keptFor)
        .whenComplete(
            (done, failure) -> {
              latch.open |= failure == null;
              later(client, () -> open(latch, client));
            });
  }

  /** One at a time and no more than needed: otherwise a double count would go unnoticed. */
  private void countDown(Latch latch, SimClient client) {
    if (latch.isOver() || latch.mayBeOver(world.nanos()) || isAtEnd()) {
      return;
    }
    if (!latch.open || latch.counting != null || latch.counted == latch.count) {
      later(client, () -> countDown(latch, client));
      return;
    }
    latch.begun++;
    latch.counting = client;
    client
        .manager()
        .latch(latch.name)
        .countDownAsync()
        .whenComplete(
            (counted, failure) -> {
              latch.counting = null;
              latch.counted += failure == null && counted ? 1 : 0;
              later(client, () -> countDown(latch, client));
            });
  }

  private void await(Latch latch, SimClient client, List<Object> waiter) {
    if (latch.mayBeOver(world.nanos())) {
      waiters.remove(waiter); // otherwise it would wait for the next latch of this name
      return;
    }
    DistributedLatch gate = client.manager().latch(latch.name);
    CompletionStage<Boolean> outcome =
        random.nextBoolean()
            ? gate.awaitAsync().thenApply(done -> true)
            : gate.awaitAsync(any(STEP.multipliedBy(10)));
    outcome.whenComplete(
        (passed, failure) -> {
          if (failure == null && passed) {
            passes(latch, waiter);
          } else if (failure instanceof LatchExpiredException) {
            ends(latch, waiter);
          } else {
            later(client, () -> await(latch, client, waiter));
          }
        });
  }

  private void passes(Latch latch, List<Object> waiter) {
    if (latch.begun < latch.count || latch.expired) {
      fail("CL-1: a waiter passes: " + latch);
    }
    latch.passed = true;
    told(latch, waiter, "passes");
  }

  private void ends(Latch latch, List<Object> waiter) {
    if (!latch.mayBeOver(world.nanos()) || latch.passed) {
      fail("CL-3: a waiter is notified that it is over: " + latch);
    }
    latch.expired = true;
    told(latch, waiter, "ends");
  }

  private void told(Latch latch, List<Object> waiter, String what) {
    story
        .append(world.nanos())
        .append(' ')
        .append(latch.name)
        .append(' ')
        .append(what)
        .append('\n');
    waiters.remove(waiter);
  }

  private boolean isAtEnd() {
    return isStopped() && isIdle();
  }

  @Override
  protected boolean isIdle() {
    return waiters.isEmpty();
  }

  @Override
  protected Duration troubleLasts() {
    return STEP.multipliedBy(5);
  }

  @Override
  protected void trouble(Duration span) {
    server.pauseOrCrash(span, random);
  }

  @Override
  protected Duration leavesAfter() {
    return LEAVES_AFTER;
  }

  @Override
  protected String left() {
    List<?> left = (List<?>) server.byHand("KEYS", "*");
    return left.isEmpty() ? "" : left.toString();
  }

  @Override
  protected String story() {
    return story.toString();
  }
}
