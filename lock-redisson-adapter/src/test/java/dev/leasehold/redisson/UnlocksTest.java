package dev.leasehold.redisson;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A message on a channel of Redisson's locks")
class UnlocksTest {
  private static final int MESSAGES = 10;
  private static final Duration A_MOMENT = Duration.ofMillis(50);
  private static final Keys KEYS = new Keys("x", "x");

  private interface Listen extends BiFunction<Unlocks, Runnable, CompletionStage<Watch>> {}

  private static void wakesOnce(Listen listen, String channel, String message) {
    try (Apps apps = new Apps();
        Client client = new Client(apps.redisson(apps.server().uri(), config -> config), () -> {});
        ConnectionLosses connections = client.connections();
        Unlocks unlocks = new Unlocks(client.executor(), connections)) {
      AtomicInteger woken = new AtomicInteger();
      for (int watches = 1; watches <= 2; watches++) {
        Watch watch = Await.value(listen.apply(unlocks, woken::incrementAndGet));
        for (int i = 0; i < MESSAGES; i++) {
          int before = woken.get();
          apps.server().call("PUBLISH", channel, message);
          Await.until("it is woken", () -> woken.get() > before);
        }
        Await.pass(A_MOMENT);
        assertEquals(watches * MESSAGES, woken.get());
        watch.close();
      }
    }
  }

  @Test
  @DisplayName("wakes a waiter for the lock once")
  void locks() {
    wakesOnce((unlocks, woken) -> unlocks.watch(KEYS, woken), KEYS.channel(), "0");
  }

  @Test
  @DisplayName("wakes a waiter for permits once")
  void permits() {
    wakesOnce((unlocks, woken) -> unlocks.watchPermits(KEYS, woken), KEYS.permitChannel(), "1");
  }

  @Test
  @DisplayName("wakes a writer once")
  void sides() {
    wakesOnce((unlocks, woken) -> unlocks.watchSides(KEYS, woken), KEYS.sidesChannel(), "0");
  }
}
