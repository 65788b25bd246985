package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.methods.Locked;
import dev.leasehold.methods.OnTimeout;
import dev.leasehold.testkit.Heard;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Two instances whose clocks are 60 ms apart. Each firing is at the same time by the clock of each:
 * what one does 60 ms after the other is the same firing again.
 */
@DisplayName("A @Scheduled and @Locked method on two instances with clocks that differ")
class ScheduledTest {
  private static final String LOGGING = "org.springframework.boot.logging.LoggingSystem";

  private static final Duration APART = Duration.ofMillis(60);

  /** Less than the minimum hold by what a run may begin late, and more than they are apart. */
  private static final long SAME_FIRING_MS = 120;

  /** When a run began, and of which firing it was. */
  record Run(String job, int instance, long nanos) {}

  static final BlockingQueue<Run> RUNS = new LinkedBlockingQueue<>();

  /** Jobs as users write them; each fires by its instance's clock. */
  @EnableScheduling
  static class Jobs {
    private final int instance;

    Jobs(@Value("${app.instance}") int instance) {
      this.instance = instance;
    }

    @Bean
    ThreadPoolTaskScheduler taskScheduler() {
      ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
      scheduler.setPoolSize(2);
      scheduler.setClock(Clock.offset(Clock.systemUTC(), APART.multipliedBy(instance)));
      return scheduler;
    }

    /** Every other second: a run may begin more than a second late. */
    @Scheduled(cron = "*/2 * * * * *")
    @Locked(name = "once", waitFor = "0s", atLeast = "1700ms", onTimeout = OnTimeout.SKIP)
    public void once() {
      RUNS.add(new Run("once", instance, System.nanoTime()));
    }

    /** The twin: a quick run has given the lock back when the other instance comes. */
    @Scheduled(cron = "* * * * * *")
    @Locked(name = "twice", waitFor = "0s", onTimeout = OnTimeout.SKIP)
    public void twice() {
      RUNS.add(new Run("twice", instance, System.nanoTime()));
    }
  }

  @Test
  @DisplayName("runs each firing once by its minimum hold, and without it some firings twice")
  void once() throws Exception {
    try (RedisServer server = RedisServers.start();
        ConfigurableApplicationContext first = start(server, 1);
        ConfigurableApplicationContext second = start(server, 2)) {
      assertTrue(first.isActive() && second.isActive());
      long lastOnce = Long.MIN_VALUE;
      long lastTwice = Long.MIN_VALUE;
      int once = 0;
      boolean twice = false;
      while (once < 4 || !twice) {
        Run run = RUNS.poll(20, TimeUnit.SECONDS);
        assertTrue(run != null, "no job runs any more");
        if (run.job().equals("once")) {
          long gap = lastOnce == Long.MIN_VALUE ? Long.MAX_VALUE : run.nanos() - lastOnce;
          // Measured inside the runs, whose beginnings come a moment after the grants.
          assertTrue(
              gap > TimeUnit.MILLISECONDS.toNanos(SAME_FIRING_MS),
              () -> "one firing ran again after " + gap + " ns");
          lastOnce = run.nanos();
          once++;
        } else {
          twice |=
              lastTwice != Long.MIN_VALUE
                  && run.nanos() - lastTwice < TimeUnit.MILLISECONDS.toNanos(SAME_FIRING_MS);
          lastTwice = run.nanos();
        }
      }
    }
  }

  /** Never scheduled: there is no @EnableScheduling. */
  static class Waiting {
    @Scheduled(fixedDelay = 1)
    @Locked(name = "waiting")
    public void runsOneAfterAnother() {}

    @Scheduled(fixedDelay = 1)
    @Locked(name = "waiting", waitFor = "1m")
    public void bounded() {}

    @Locked(name = "waiting")
    public void called() {}
  }

  @Test
  @DisplayName("is warned of if it waits without a bound: every instance runs it then")
  void waits() {
    System.setProperty(LOGGING, "none"); // Boot's start would take the handler away
    try (RedisServer server = RedisServers.start();
        Heard heard = new Heard();
        ConfigurableApplicationContext context = Apps.start(server, List.of(), Waiting.class)) {
      assertTrue(context.isActive());
      String all = heard.all();
      assertTrue(all.contains("Waiting.runsOneAfterAnother() is @Scheduled, and"), all);
      assertFalse(all.contains("Waiting.bounded") || all.contains("Waiting.called"), all);
    } finally {
      System.clearProperty(LOGGING);
    }
  }

  private static ConfigurableApplicationContext start(RedisServer server, int instance) {
    return Apps.start(server, List.of("app.instance=" + instance), Jobs.class);
  }
}
