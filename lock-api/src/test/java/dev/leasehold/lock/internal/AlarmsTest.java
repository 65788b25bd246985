package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.leasehold.lock.internal.threads.Alarms;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Alarms on one timer")
class AlarmsTest {
  private static final Duration DELAY = Duration.ofSeconds(3);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();
  private final List<String> rang = new ArrayList<>();
  private int timers;
  private boolean refuses;
  private boolean loses;
  private final Alarms all =
      new Alarms(
          (delay, task) -> {
            if (refuses) {
              throw new RejectedExecutionException("no more");
            }
            timers++;
            return loses ? () -> {} : time.schedule(delay, task);
          },
          time);

  private final class Named extends Alarms.Alarm {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    protected void ring() {
      rang.add(name);
    }
  }

  private Scheduler.Scheduled start(String name) {
    return start(name, DELAY);
  }

  private Scheduler.Scheduled start(String name, Duration delay) {
    Named alarm = new Named(name);
    all.set(alarm, time.nanos() + delay.toNanos());
    return () -> all.cancel(alarm);
  }

  @Test
  @DisplayName("each rings in its time")
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
    assertEquals("a", rang.get(0));
    assertEquals(Set.of("b", "c"), Set.copyOf(rang.subList(1, 3)));
    time.advance(DELAY);
    start("d");
    time.advance(DELAY);
    assertEquals("d", rang.get(3));
    assertEquals(4, timers); // one to run c beside b
  }

  @Test
  @DisplayName("a cancelled alarm does not ring, and costs no timer")
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
    all.set(
        new Alarms.Alarm() {
          @Override
          protected void ring() {
            throw new IllegalStateException("of the test's");
          }
        },
        DELAY.toNanos());
    start("b");
    time.advance(DELAY);
    assertEquals(List.of("b"), rang);
  }

  @Test
  @DisplayName("a scheduler that refuses: newcomers get an error, and pending timers ring at once")
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

  @Test
  @DisplayName("an alarm earlier than all others moves the timer; a later one does not")
  void earlier() {
    start("late", Duration.ofSeconds(30));
    start("later", Duration.ofSeconds(40));
    assertEquals(1, timers);
    start("early", SECOND);
    assertEquals(2, timers);
    time.advance(SECOND);
    assertEquals(List.of("early"), rang);
    time.advance(Duration.ofSeconds(39));
    assertEquals(List.of("early", "late", "later"), rang);
  }

  @Test
  @DisplayName("an alarm that is moved rings once, at the new time, and can be set again")
  void moved() {
    Named alarm = new Named("a");
    all.set(alarm, DELAY.toNanos());
    all.set(alarm, 2 * DELAY.toNanos());
    all.set(new Named("b"), DELAY.toNanos());
    time.advance(DELAY);
    assertEquals(List.of("b"), rang);
    time.advance(DELAY);
    assertEquals(List.of("b", "a"), rang);
    all.set(alarm, 3 * DELAY.toNanos());
    all.set(alarm, 2 * DELAY.toNanos() + 1);
    time.advance(DELAY);
    assertEquals(List.of("b", "a", "a"), rang);
  }

  @Test
  @DisplayName("an alarm set by a time keeps an earlier one")
  void by() {
    Named alarm = new Named("a");
    all.setBy(alarm, 5);
    all.setBy(alarm, 9);
    all.setBy(alarm, 3);
    time.advance(Duration.ofNanos(3));
    assertEquals(List.of("a"), rang);
    time.advance(Duration.ofNanos(9));
    assertEquals(List.of("a"), rang);
    all.setBy(alarm, 15);
    time.advance(Duration.ofNanos(3));
    assertEquals(List.of("a", "a"), rang);
  }

  @Test
  @DisplayName("any order of setting, moving and cancelling: each rings in its time")
  void random() {
    Random seeded = new Random(7);
    for (int round = 0; round < 200; round++) {
      Map<Integer, Long> due = new TreeMap<>();
      Named[] alarms = new Named[40];
      Arrays.setAll(alarms, i -> new Named(String.valueOf(i)));
      rang.clear();
      for (int step = 0; step < 150; step++) {
        int i = seeded.nextInt(alarms.length);
        if (seeded.nextInt(3) == 0) {
          all.cancel(alarms[i]);
          due.remove(i);
        } else {
          long at = time.nanos() + 1 + seeded.nextInt(1_000_000);
          all.set(alarms[i], at);
          due.put(i, at);
        }
      }
      long end = time.nanos() + 1_000_000;
      time.advance(Duration.ofNanos(500_000));
      long middle = time.nanos();
      assertEquals(due.values().stream().filter(at -> at <= middle).count(), rang.size());
      time.advance(Duration.ofNanos(end - middle));
      assertEquals(due.size(), rang.size());
      assertEquals(
          due.values().stream().sorted().toList(),
          rang.stream().map(name -> due.get(Integer.valueOf(name))).toList());
    }
  }
}
