package dev.leasehold.redisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.TestThreads;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.RespProxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.config.Config;
import org.redisson.misc.ReclosableLatch;

/** Where Redisson's own latches are still so, the test shows that too. */
@DisplayName("Known defects of Redisson's latches do not occur in ours")
class KnownLatchDefectsTest {
  private static final Duration A_MOMENT = Duration.ofMillis(200);
  private static final AtomicInteger NAMES = new AtomicInteger();

  private static Apps apps;
  private static RespProxy proxy;
  private static LockManager manager;
  private static RedissonClient plain;
  private static RedissonClient impatient;
  private static RedissonClient elsewhere;
  private final String name = "gate-" + NAMES.incrementAndGet();
  private final String channel = "redisson_countdownlatch__channel__{" + name + "}";
  private final DistributedLatch ours = manager.latch(name);
  private final RCountDownLatch theirs = plain.getCountDownLatch(name);

  @BeforeAll
  static void start() {
    apps = new Apps();
    proxy = apps.closing(RespProxy.inFrontOf(apps.server()));
    LockOptions often = LockOptions.builder().waitStrategy(WaitStrategy.every(A_MOMENT)).build();
    RedissonClient client = apps.redisson(proxy.uri(), config -> config);
    manager =
        apps.closing(LockManager.over(RedissonLocks.over(client).open()).defaults(often).build());
    plain = apps.redisson(proxy.uri(), config -> config);
    impatient = apps.redisson(proxy.uri(), KnownLatchDefectsTest::impatient);
    elsewhere = apps.redisson();
  }

  private static Config impatient(Config config) {
    config.useSingleServer().setTimeout(500);
    return config;
  }

  @AfterAll
  static void stop() {
    apps.close();
  }

  /** One of theirs that waits, asleep. */
  private CompletableFuture<Boolean> theirWaiter() {
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    CompletableFuture<Boolean> waits =
        TestThreads.onThread(
            () -> {
              thread.complete(Thread.currentThread());
              theirs.await();
              return true;
            });
    Thread waiter = Await.value(thread);
    Await.until(
        "it sleeps",
        () ->
            waiter.getState() == Thread.State.WAITING
                && Arrays.stream(waiter.getStackTrace())
                    .anyMatch(f -> f.getClassName().equals(ReclosableLatch.class.getName())));
    return waits;
  }

  private CompletableFuture<Void> ourWaiter() {
    long listeners = apps.listenersOf(channel);
    CompletableFuture<Void> waits = ours.awaitAsync().toCompletableFuture();
    Await.until("ours listens", () -> apps.listenersOf(channel) == listeners + 1);
    assertFalse(waits.isDone(), "one is missing");
    return waits;
  }

  private static void assertWaits(CompletableFuture<?> theirs) {
    Await.pass(A_MOMENT);
    assertFalse(theirs.isDone(), "mended there: take this line out");
  }

  @Test
  @DisplayName("A count-down whose answer is lost counts once; theirs, tried again, twice")
  void countsTwice() {
    theirs.trySetCount(4);
    theirs.countDown(); // the server knows the script now
    CommandMatch counting =
        CommandMatch.named("EVALSHA", "EVAL").and(CommandMatch.containing(channel));
    proxy.next(1, counting, CommandFault.cutAfter());
    assertThrows(RedisException.class, impatient.getCountDownLatch(name)::countDown);
    theirs.countDown();
    assertEquals(1, theirs.getCount(), "mended there: take this line out");
    theirs.countDown();

    ours.open(3, Apps.LONG);
    ours.countDown();
    ActiveFault lost =
        proxy.next(
            1,
            CommandMatch.containing(RedissonScript.LATCH_COUNT_DOWN.sha()),
            CommandFault.cutAfter());
    assertTrue(ours.countDown());
    assertEquals(1, lost.hits());
    assertEquals(OptionalInt.of(1), ours.count());
    assertEquals(1, theirs.getCount());
  }

  @Test
  @DisplayName("A message of zero that is lost costs a pause; theirs wait for ever")
  void messageLost() {
    ours.open(1, Apps.LONG);
    CompletableFuture<Boolean> their = theirWaiter();
    CompletableFuture<Void> mine = ourWaiter();
    RCountDownLatch other = elsewhere.getCountDownLatch(name);
    ActiveFault cutOff = proxy.refuse();
    apps.server().call("CLIENT", "KILL", "TYPE", "pubsub");
    Await.until("there are no listeners", () -> apps.listenersOf(channel) == 0);
    other.countDown();
    cutOff.close();
    Await.value(mine);
    Await.until("theirs listens again", () -> apps.listenersOf(channel) >= 1);
    assertEquals(0, theirs.getCount());
    assertWaits(their);
    // The listener may be the manager: after one message, theirs may not hear it.
    Await.until(
        "theirs is notified",
        () -> {
          apps.server().call("PUBLISH", channel, "0");
          return their.isDone();
        });
  }

  @Test
  @DisplayName("A waiter for a latch that was at zero passes, though it is opened again at once")
  void openedAgain() {
    ours.open(1, Apps.LONG);
    CompletableFuture<Boolean> their = theirWaiter();
    CompletableFuture<Void> mine = ourWaiter();
    // The last count-down, and the next opening, before a waiter gets around to ask.
    apps.server()
        .call(
            "EVAL",
            "redis.call('DEL', KEYS[1]) redis.call('PUBLISH', ARGV[1], '0')"
                + " redis.call('SET', KEYS[1], '1') redis.call('PUBLISH', ARGV[1], '1')",
            "1",
            name,
            channel);
    Await.value(mine);
    assertWaits(their);
    theirs.countDown();
    Await.value(their);
  }

  @Test
  @DisplayName("delete() wakes none of theirs, though later ones pass; ours see it by asking")
  void deleted() {
    theirs.trySetCount(1);
    assertEquals(-1, apps.ttl(name), "nor does it ever end by itself");
    CompletableFuture<Boolean> their = theirWaiter();
    CompletableFuture<Void> mine = ourWaiter();
    assertTrue(theirs.delete());
    Await.value(mine);
    assertWaits(their);
    apps.server().call("PUBLISH", channel, "0");
    Await.value(their);
    assertTrue(ours.open(1, Apps.LONG));
    assertTrue(apps.ttl(name) > 0);
  }
}
