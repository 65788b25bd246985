package dev.leasehold.redisson;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A client whose executor runs tasks in the caller")
class CallersExecutorTest {
  private static final Duration A_MOMENT = Duration.ofMillis(100);
  private static final int A_FEW = 20;

  /** As an application may give to Redisson. */
  private static final class Callers extends AbstractExecutorService {
    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }

  private interface Listen extends BiFunction<Unlocks, Runnable, CompletionStage<Watch>> {}

  private static void told(Listen listen, String channel, String message) {
    try (Apps apps = new Apps();
        Client client =
            new Client(
                apps.redisson(apps.server().uri(), config -> config.setExecutor(new Callers())),
                () -> {});
        ConnectionLosses connections = client.connections();
        Unlocks unlocks = new Unlocks(client.executor(), connections)) {
      AtomicInteger woken = new AtomicInteger();
      Await.value(listen.apply(unlocks, woken::incrementAndGet));
      for (int i = 0; i < 2; i++) {
        int before = woken.get();
        AtomicInteger sent = new AtomicInteger();
        Await.until(
            "it is woken",
            () -> {
              apps.server().call("PUBLISH", channel, message); // again, if it was not back yet
              sent.incrementAndGet();
              Await.pass(A_MOMENT);
              return woken.get() > before;
            });
        Await.pass(A_MOMENT);
        // The client looks for listeners until there is none: it may find ours again, which comes
        // back by another thread. By the caller's it found it for ever.
        int most = A_FEW * sent.get();
        assertTrue(woken.get() - before < most, () -> woken + " wake-ups by " + sent + " messages");
      }
    }
  }

  @Test
  @DisplayName("wakes waiters for a read/write lock by each message, and not repeatedly")
  void sides() {
    Keys keys = new Keys("x", "x");
    told((unlocks, woken) -> unlocks.watchSides(keys, woken), keys.sidesChannel(), "1");
  }

  @Test
  @DisplayName("wakes waiters for a latch by each message, and not repeatedly")
  void latches() {
    Keys keys = new Keys("x", "x");
    told((unlocks, woken) -> unlocks.watchLatch(keys, woken), keys.latchChannel(), "0");
  }
}
