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
import org.redisson.RedissonLockEntry;
import org.redisson.connection.ConnectionEventsHub;

@DisplayName("A message on a channel of Redisson's locks")
class UnlocksTest {
  private static final int MESSAGES = 10;
  private static final Duration A_MOMENT = Duration.ofMillis(50);

  /**
   * Not the client's, which reports its first connection, too, and on a busy machine after the
   * watch has begun: that wakes all.
   */
  private static final ConnectionEventsHub NO_CONNECTIONS = new ConnectionEventsHub();

  private static final Keys KEYS = new Keys("x", "x");

  private interface Listen extends BiFunction<Unlocks, Runnable, CompletionStage<Watch>> {}

  private static void wakesOnce(Listen listen, String channel, String message) {
    try (Apps apps = new Apps();
        Client client = new Client(apps.redisson(apps.server().uri(), config -> config), () -> {});
        ConnectionLosses connections = new ConnectionLosses(NO_CONNECTIONS);
        Unlocks unlocks = new Unlocks(client.executor(), connections)) {
      AtomicInteger woken = new AtomicInteger();
      Await.value(listen.apply(unlocks, woken::incrementAndGet));
      for (int i = 0; i < MESSAGES; i++) {
        int before = woken.get();
        apps.server().call("PUBLISH", channel, message);
        Await.until("it is woken", () -> woken.get() > before);
      }
      Await.pass(A_MOMENT); // for a second wake-up
      assertEquals(MESSAGES, woken.get());
    }
  }

  @Test
  @DisplayName("wakes a waiter for the lock once")
  void locks() {
    wakesOnce((unlocks, woken) -> unlocks.watch(KEYS, woken), KEYS.channel(), "0");
  }

  @Test
  @DisplayName("that came before a waiter listened does not wake it")
  void before() {
    try (Apps apps = new Apps();
        Client client = new Client(apps.redisson(apps.server().uri(), config -> config), () -> {});
        ConnectionLosses connections = new ConnectionLosses(NO_CONNECTIONS);
        Unlocks unlocks = new Unlocks(client.executor(), connections)) {
      String entry = client.executor().getServiceManager().getId() + ":" + KEYS.raw();
      RedissonLockEntry plain = // as of a plain lock with a waiter
          Await.value(
              client
                  .executor()
                  .getConnectionManager()
                  .getSubscribeService()
                  .getLockPubSub()
                  .subscribe(entry, KEYS.channel()));
      apps.server().call("PUBLISH", KEYS.channel(), "0");
      Await.until("its permit is there", () -> plain.getLatch().availablePermits() > 0);
      AtomicInteger woken = new AtomicInteger();
      Await.value(unlocks.watch(KEYS, woken::incrementAndGet));
      assertEquals(0, woken.get());
      assertEquals(0, plain.getLatch().availablePermits());
    }
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
