package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.leasehold.lock.internal.threads.FixedDelayTimers;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Timers that all run for the same time, by one")
class FixedDelayTimersTest {
  private static final Duration DELAY = Duration.ofSeconds(3);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();
  private final List<String> rang = new ArrayList<>();
  private int timers;
  private boolean refuses;
  private boolean loses;
  private final FixedDelayTimers all =
      new FixedDelayTimers(
          (delay, task) -> {
            if (refuses) {
              throw new RejectedExecutionException("no more");
            }
            timers++;
            return loses ? () -> {} : time.schedule(delay, task);
          },
          time,
          DELAY);

  private Scheduler.Scheduled start(String name) {
    return all.start(() -> rang.add(name));
  }

  @Test
  @DisplayName("each rings in its time, in their order")
  void inTime() {
    start("a");
    time.advance(SECOND);
    start("b");
    start("c");
    time.advance(DELAY.minus(SECOND).minusNanos(1));
    assertEquals(List.of(), rang);
    time.advance(Duration.ofNanos(1));
    assertEquals(List.of("a"), rang);
    time.advance(SECOND.minusNanos(1));
    assertEquals(List.of("a"), rang);
    time.advance(Duration.ofNanos(1));
    assertEquals(List.of("a", "b", "c"), rang);
    time.advance(DELAY);
    start("d");
    time.advance(DELAY);
    assertEquals(List.of("a", "b", "c", "d"), rang);
    assertEquals(4, timers); // one to run c beside b
  }

  @Test
  @DisplayName("what is cancelled does not ring, and costs no timer")
  void cancelled() {
    for (int i = 0; i < 1000; i++) {
      start("brief").cancel();
    }
    Scheduler.Scheduled first = start("first");
    Scheduler.Scheduled middle = start("middle");
    Scheduler.Scheduled last = start("last");
    assertEquals(1, timers);
    middle.cancel();
    middle.cancel();
    first.cancel();
    time.advance(DELAY);
    assertEquals(List.of("last"), rang);
    last.cancel();
    start("next").cancel();
    time.advance(DELAY);
    time.advance(DELAY);
    assertEquals(List.of("last"), rang);
    assertEquals(2, timers);
  }

  @Test
  @DisplayName("one that throws does not keep the others")
  void thrown() {
    all.start(
        () -> {
          throw new IllegalStateException("of the test's");
        });
    start("b");
    time.advance(DELAY);
    assertEquals(List.of("b"), rang);
  }

  @Test
  @DisplayName("a scheduler that refuses: who comes is told, and those who run ring at once")
  void refused() {
    refuses = true;
    assertThrows(RejectedExecutionException.class, () -> start("a"));
    refuses = false;
    start("b");
    time.advance(SECOND);
    start("c");
    refuses = true;
    time.advance(DELAY.minus(SECOND));
    assertEquals(List.of("b", "c"), rang);
    refuses = false;
    start("d");
    time.advance(DELAY);
    assertEquals(List.of("b", "c", "d"), rang);
  }

  @Test
  @DisplayName("closed, it leaves no timer behind")
  void closed() {
    start("a");
    all.close();
    all.close();
    time.advance(DELAY);
    assertEquals(List.of(), rang);
  }

  @Test
  @DisplayName("a scheduler that was shut down, and has lost the timer: a later one sets another")
  void lost() {
    loses = true;
    start("a");
    loses = false;
    time.advance(DELAY.multipliedBy(2).plusNanos(1));
    start("b");
    time.advance(Duration.ZERO);
    assertEquals(List.of("a"), rang);
    time.advance(DELAY);
    assertEquals(List.of("a", "b"), rang);
    assertEquals(3, timers);
  }
}
