package dev.leasehold.redisson;

import static dev.leasehold.redisson.Apps.LONG;
import static dev.leasehold.redisson.Apps.WELL_BEFORE;
import static dev.leasehold.redisson.Apps.took;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LatchExpiredException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A latch that is shared with plain RCountDownLatches of another process")
class RCountDownLatchTest extends BesidePlain {
  private static final Duration BRIEF = Duration.ofMillis(300);
  private static final long REMEMBERED = Latches.REMEMBERED.toMillis();
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final String name = "latch-" + NAMES.incrementAndGet();
  private LockManager manager;

  @BeforeEach
  void open() {
    // Asks again so seldom that only a message can explain why a waiter was quick.
    manager = LockManager.over(RedissonLocks.over(client).open()).defaults(Apps.PATIENT).build();
  }

  @AfterEach
  void close() {
    manager.close();
  }

  private DistributedLatch ours() {
    return manager.latch(name);
  }

  private String plain(String operation) {
    return plain.does("main", "latch", name, operation);
  }

  private void listening(int clients) {
    String channel = "redisson_countdownlatch__channel__{" + name + "}";
    Await.until("they listen", () -> apps.listenersOf(channel) == clients);
  }

  /** A waiter in the other process, asleep until it is notified. */
  private CompletableFuture<String> plainWaiter() {
    CompletableFuture<String> waits = plain.ask(name, "latch", name, "await");
    listening(1);
    Await.until("it sleeps", () -> plain.does("main", "lane", name, "").equals("true"));
    return waits;
  }

  /** One of ours: it has asked, was refused, and listens. */
  private CompletableFuture<Void> waiter() {
    CompletableFuture<Void> waits = ours().awaitAsync().toCompletableFuture();
    listening(1);
    assertFalse(waits.isDone());
    return waits;
  }

  private String round() {
    return "lh:{" + name + "}:latch:round";
  }

  /** As if its time had passed. */
  private void end() {
    String left = Long.toString(REMEMBERED - 1);
    assertEquals("1", call("PEXPIRE", round(), left));
    call("PEXPIRE", name, left);
  }

  @Test
  @DisplayName("One of ours is theirs too: they see its count, take off it, wait and are woken")
  void ourLatch() throws Exception {
    assertTrue(ours().open(3, LONG));
    assertEquals("3", plain("count"));
    assertEquals("false", plain("set 5"));
    plain("down");
    assertEquals(OptionalInt.of(2), ours().count());
    assertTrue(ours().countDown());
    assertEquals("1", plain("count"));
    CompletableFuture<String> theirs = plainWaiter();
    CompletableFuture<Void> mine = ours().awaitAsync().toCompletableFuture();
    listening(2);
    assertFalse(theirs.isDone() || mine.isDone());
    assertTrue(ours().countDown());
    assertTrue(took(CompletableFuture.allOf(theirs, mine)).compareTo(WELL_BEFORE) < 0);
    assertEquals("done", Await.value(theirs));
    assertEquals("0", plain("count"));
    assertEquals("true", plain("wait 0"));
    assertTrue(ours().await(Duration.ZERO));
    assertFalse(ours().open(2, LONG), "at zero it stays as it is");
  }

  @Test
  @DisplayName("One of theirs is ours too: ours see its count, take off it, wait and are woken")
  void theirLatch() throws Exception {
    assertEquals("true", plain("set 3"));
    assertEquals(OptionalInt.of(3), ours().count());
    assertFalse(ours().open(7, LONG), "it is open");
    assertTrue(ours().countDown());
    assertEquals("2", plain("count"));
    CompletableFuture<Void> waits = waiter();
    plain("down");
    assertFalse(waits.isDone());
    assertFalse(ours().await(BRIEF), "one is missing");
    plain("down");
    assertTrue(took(waits).compareTo(WELL_BEFORE) < 0);
    assertTrue(ours().await(Duration.ZERO));
    assertFalse(ours().countDown());
    assertTrue(ours().open(1, LONG), "theirs is gone at zero");
    assertEquals("1", plain("count"));
  }

  @Test
  @DisplayName("The last count-down of theirs wakes ours that wait for one of ours")
  void theirLast() throws Exception {
    ours().open(1, LONG);
    CompletableFuture<Void> waits = waiter();
    plain("down");
    assertTrue(took(waits).compareTo(WELL_BEFORE) < 0);
    assertFalse(ours().open(1, LONG), "at zero, also by theirs, it stays as it is");
    assertFalse(ours().countDown());
  }

  @Test
  @DisplayName("An unopened one is at zero, as there, and no guarantee says otherwise")
  void neverOpened() throws Exception {
    assertTrue(manager.guarantees().contains(Guarantee.LATCH));
    assertFalse(manager.guarantees().contains(Guarantee.LATCH_OPENING));
    assertEquals("done", plain("await"));
    ours().await();
    assertTrue(ours().await(Duration.ZERO));
    assertEquals(OptionalInt.empty(), ours().count());
    assertFalse(ours().countDown());
    assertEquals("0", call("EXISTS", name));
  }

  @Test
  @DisplayName("One that expires before zero ends our waiters with an exception; theirs continue")
  void over() throws Exception {
    ours().open(2, LONG);
    CompletableFuture<String> theirs = plainWaiter();
    LockManager quick = apps.ours(RedissonMode.PLAIN); // asks as often as usual
    CompletableFuture<Void> waits = quick.latch(name).awaitAsync().toCompletableFuture();
    listening(2);
    end();
    assertThrows(LatchExpiredException.class, () -> quick.latch(name).await());
    assertThrows(LatchExpiredException.class, () -> Await.value(waits));
    assertEquals("done", Await.value(theirs));
    assertFalse(ours().countDown());
    assertEquals(OptionalInt.empty(), ours().count());
    assertEquals("true", plain("set 4"), "for theirs it is gone");
    assertEquals(OptionalInt.of(4), ours().count());
    quick.close();
  }

  @Test
  @DisplayName("One that was at zero when it expired lets a slightly later waiter pass")
  void overAtZero() throws Exception {
    ours().open(1, LONG);
    plain("down");
    end();
    assertTrue(ours().await(Duration.ZERO));
    assertTrue(ours().open(1, LONG), "it can be opened anew");
    assertFalse(ours().await(Duration.ZERO));
  }

  @Test
  @DisplayName("A foreign round after one of ours: waiters of ours pass")
  void theirsAfterOurs() throws Exception {
    ours().open(1, LONG);
    CompletableFuture<Void> waits = waiter();
    // As fast as possible: the number is gone, and there again, before a waiter looks.
    call("EVAL", "redis.call('DEL', KEYS[1]) redis.call('SET', KEYS[1], 5)", "1", name);
    call("PUBLISH", "redisson_countdownlatch__channel__{" + name + "}", "0");
    assertTrue(took(waits).compareTo(WELL_BEFORE) < 0);
    assertFalse(ours().await(Duration.ZERO), "a later one waits for theirs");
    assertEquals(OptionalInt.of(5), ours().count());
  }

  @Test
  @DisplayName("A count-down that is sent again counts once; of theirs each counts")
  void once() {
    LeaseKey key = new LeaseKey(name, "t:1");
    assertEquals("true", plain("set 3"));
    try (LeaseStore store = RedissonLocks.over(client).open()) {
      Latches latches = ((LatchStore) store).latches();
      assertTrue(Await.value(latches.countDown(key)));
      assertTrue(Await.value(latches.countDown(key)));
    }
    assertEquals("2", plain("count"));
  }

  @Test
  @DisplayName("On the server it is their number; our keys expire by themselves")
  void sameFormat() {
    assertEquals("true", plain("set 1"));
    String theirs = call("TYPE", name);
    plain("down");
    ours().open(2, LONG);
    ours().countDown();
    assertEquals(theirs, call("TYPE", name));
    assertEquals("1", plain("count"));
    TreeSet<String> keys = new TreeSet<>();
    for (Object key : (List<?>) apps.server().call("KEYS", "*" + name + "*").orElseThrow()) {
      long left = apps.ttl((String) key);
      assertTrue(left > 0 && left <= 3_600_000, key + " " + left);
      keys.add((String) key);
    }
    assertEquals(List.of(name, "lh:{" + name + "}:latch:once", round()), List.copyOf(keys));
    ours().countDown();
    assertEquals("0", call("EXISTS", name), "at zero there is no number, as there");
  }

  @Test
  @DisplayName("An invalid number of count-downs is refused, and unchanged")
  void somethingElse() {
    call("SET", name, "hello");
    assertThrows(LockStoreException.class, () -> ours().open(1, LONG));
    assertThrows(LockStoreException.class, () -> ours().countDown());
    assertThrows(LockStoreException.class, () -> ours().await(Duration.ZERO));
    assertEquals("hello", call("GET", name));
    assertThrows(LockConfigurationException.class, () -> manager.lock(name), "it is a latch here");
    call("DEL", name);
    client.getLock(name).lock();
    assertThrows(LockStoreException.class, () -> ours().countDown());
    assertTrue(client.getLock(name).isHeldByCurrentThread());
  }
}
