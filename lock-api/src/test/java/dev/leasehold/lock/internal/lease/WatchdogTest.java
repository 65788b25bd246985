package dev.leasehold.lock.internal.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.LeaseRenewer.Outcome;
import dev.leasehold.lock.spi.LeaseRenewer.RenewableLease;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The watchdog, if a timer can't be set for want of memory or a thread")
class WatchdogTest {
  private final Watchdog watchdog = new Watchdog();
  private final List<Timer> timers = new ArrayList<>();
  private final List<String> renewed = new ArrayList<>();
  private final List<CompletableFuture<Outcome>> ends = new ArrayList<>();
  private boolean fails;
  private long now;

  WatchdogTest() {
    watchdog.start(
        new LeaseRenewer.Context() {
          @Override
          public List<CompletionStage<Outcome>> renew(List<RenewableLease> batch) {
            batch.forEach(lease -> renewed.add(lease.lockName()));
            return batch.stream()
                .<CompletionStage<Outcome>>map(
                    lease -> {
                      CompletableFuture<Outcome> end = new CompletableFuture<>();
                      ends.add(end);
                      return end;
                    })
                .toList();
          }

          @Override
          public Ticker ticker() {
            return () -> now;
          }

          @Override
          public Scheduler scheduler() {
            return (delay, task) -> {
              if (fails) {
                throw new OutOfMemoryError("thrown by the test");
              }
              Timer timer = new Timer(now + delay.toNanos(), task);
              timers.add(timer);
              return () -> timers.remove(timer);
            };
          }

          @Override
          public RandomGenerator random() {
            return new Random(1);
          }
        });
  }

  private record Timer(long at, Runnable task) {}

  /** A lease of so many seconds. */
  private static final class Held extends Watchdog.Entry {
    private final String name;
    private final long seconds;

    Held(String name, long seconds) {
      this.name = name;
      this.seconds = seconds;
    }

    @Override
    public String lockName() {
      return name;
    }

    @Override
    public Duration lease() {
      return Duration.ofSeconds(seconds);
    }

    @Override
    public Duration remaining() {
      return lease();
    }

    @Override
    protected void ring() {}
  }

  /** Runs the timers that are due, at a time from the beginning. */
  private void at(long seconds) {
    now = Duration.ofSeconds(seconds).toNanos();
    List<Timer> due = timers.stream().filter(timer -> timer.at - now <= 0).toList();
    timers.removeAll(due);
    due.forEach(timer -> timer.task.run());
  }

  @Test
  @DisplayName("sets one for the next lease, and renews both")
  void next() {
    fails = true;
    assertThrows(OutOfMemoryError.class, () -> watchdog.add(new Held("first", 30)));
    fails = false;
    watchdog.add(new Held("second", 30));
    at(10);
    assertEquals(List.of("first", "second"), renewed);
  }

  @Test
  @DisplayName("keeps the one that was set, if it is to be earlier")
  void earlier() {
    watchdog.add(new Held("long", 60));
    fails = true;
    assertThrows(OutOfMemoryError.class, () -> watchdog.add(new Held("brief", 30)));
    at(20);
    assertEquals(List.of("brief", "long"), renewed);
  }

  @Test
  @DisplayName("sets one in time for that lease as well, when it is set for a later one")
  void later() {
    watchdog.add(new Held("long", 60));
    fails = true;
    assertThrows(OutOfMemoryError.class, () -> watchdog.add(new Held("brief", 30)));
    fails = false;
    watchdog.add(new Held("longest", 90));
    at(0);
    at(10);
    assertEquals(List.of("brief"), renewed);
  }

  @Test
  @DisplayName("renews what is due all the same")
  void due() {
    watchdog.add(new Held("brief", 30));
    watchdog.add(new Held("long", 60));
    fails = true;
    assertThrows(OutOfMemoryError.class, () -> at(10));
    assertEquals(List.of("brief"), renewed);
  }

  @Test
  @DisplayName("also if a lease that is due between the two comes before the sweep")
  void between() {
    fails = true;
    assertThrows(OutOfMemoryError.class, () -> watchdog.add(new Held("brief", 30)));
    fails = false;
    watchdog.add(new Held("longest", 90));
    watchdog.add(new Held("long", 60));
    at(0);
    at(10);
    assertEquals(List.of("brief"), renewed);
  }

  @Test
  @DisplayName("renews the next lease at once if none is due: the end of its renewal sets a timer")
  void noneDue() {
    Held gone = new Held("gone", 30);
    watchdog.add(gone);
    watchdog.add(new Held("longest", 90));
    watchdog.add(new Held("long", 60));
    watchdog.remove(gone);
    fails = true;
    assertThrows(OutOfMemoryError.class, () -> at(10));
    assertEquals(List.of("long"), renewed);
    fails = false;
    ends.get(0).complete(Outcome.RENEWED);
    at(10);
    at(28);
    assertEquals(List.of("long", "longest", "long"), renewed); // soon due again, in one batch
  }
}
