package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.internal.threads.Alarms;
import dev.leasehold.lock.internal.threads.BoundedLog;
import dev.leasehold.lock.internal.threads.PendingCall;
import dev.leasehold.lock.internal.threads.Pool;
import dev.leasehold.lock.internal.threads.Reclaimer;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("If no timer can be set, for want of memory or a thread")
class NoTimerTest {
  private final ManualTime time = new ManualTime();
  private boolean fails = true;

  private final Scheduler scheduler =
      (delay, task) -> {
        if (fails) {
          throw new MapStore.Trouble();
        }
        return time.schedule(delay, task);
      };

  /** A call that only its caller ends. */
  private static final class Call implements PendingCall<String> {
    final CompletableFuture<String> outcome = new CompletableFuture<>();
    final List<String> unused = new ArrayList<>();
    int givenUp;

    @Override
    public CompletableFuture<String> outcome() {
      return outcome;
    }

    @Override
    public void timeUp() {}

    @Override
    public boolean giveUp() {
      givenUp++;
      return true;
    }

    CompletableFuture<String> within(Duration wait, Timing timing) {
      return async(Optional.of(wait), timing, Runnable::run, Function.identity(), unused::add);
    }
  }

  private Timing timing() {
    return new Timing(time, new Alarms(scheduler, time), scheduler, new Random(1));
  }

  @Test
  @DisplayName("a timed asynchronous call is given up, and fails")
  void pendingCall() {
    Call call = new Call();
    CompletableFuture<String> asked = call.within(Duration.ofSeconds(1), timing());
    assertSame(
        MapStore.Trouble.class,
        assertThrows(CompletionException.class, asked::join).getCause().getClass());
    assertEquals(1, call.givenUp);
  }

  @Test
  @DisplayName("what such a call was granted already is released")
  void grantedCall() {
    Call call = new Call();
    call.outcome.complete("granted");
    assertTrue(call.within(Duration.ofSeconds(1), timing()).isCompletedExceptionally());
    assertTrue(call.unused.contains("granted"));
  }

  @Test
  @DisplayName("a loss goes on, and the next one has the lost holds looked after")
  void reclaimer() {
    Reclaimer reclaimer = new Reclaimer(scheduler);
    List<String> looked = new ArrayList<>();
    Reclaimer.Watched name = () -> looked.add("name") && false;
    reclaimer.watch(name);
    fails = false;
    reclaimer.watch(name);
    time.advance(Duration.ofSeconds(10));
    assertEquals(List.of("name"), looked);
  }

  @Test
  @DisplayName("a line too many is counted, and the number is logged later")
  void boundedLog() {
    try (LogLines log = new LogLines()) {
      BoundedLog lines = new BoundedLog("lines", Runnable::run, time, scheduler);
      for (int i = 0; i < 11; i++) {
        lines.warn(() -> {});
      }
      fails = false;
      lines.warn(() -> {});
      time.advance(Duration.ofSeconds(10));
      assertTrue(
          log.lines().toString().contains("2 more lines are not listed"), log.lines()::toString);
    }
  }

  @Test
  @DisplayName("a pool without threads refuses no task, and the next one has both run")
  void pool() {
    List<String> ran = new CopyOnWriteArrayList<>();
    ThreadFactory factory =
        task -> {
          if (fails) {
            throw new MapStore.Trouble();
          }
          return new Thread(task);
        };
    try (Pool pool = new Pool(factory, scheduler)) {
      pool.execute(() -> ran.add("first"));
      fails = false;
      pool.execute(() -> ran.add("second"));
      Spin.until(() -> ran.size() == 2);
    }
  }
}
