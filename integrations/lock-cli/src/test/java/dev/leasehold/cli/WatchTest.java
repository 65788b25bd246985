package dev.leasehold.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.leasehold.admin.HoldId;
import dev.leasehold.admin.HoldState;
import dev.leasehold.admin.KindOfLock;
import dev.leasehold.admin.ListedHold;
import dev.leasehold.admin.ListedLock;
import dev.leasehold.admin.LockAdmin;
import dev.leasehold.admin.Side;
import dev.leasehold.admin.Votes;
import dev.leasehold.cli.listing.ListingChanges;
import dev.leasehold.cli.listing.ListingChanges.Change;
import dev.leasehold.cli.listing.ListingChanges.What;
import dev.leasehold.cli.listing.TooManyLocksException;
import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Watching, and the graph of waiters")
class WatchTest extends OnServer {
  private LockManager one;
  private LockManager two;
  private LockAdmin admin;

  private static CommandSettings settings() {
    CommandSettings settings = new CommandSettings();
    settings.put("lock.redis.uri", server.uri(), "test");
    settings.chooseBackend();
    return settings;
  }

  @BeforeEach
  void open() {
    one = LockManager.open(settings());
    two = LockManager.open(settings());
    admin = LockAdmin.open(settings());
  }

  @AfterEach
  void close() {
    one.close();
    two.close();
    admin.close();
  }

  private List<Change> next(ListingChanges changes) {
    return changes.next(admin.list(name));
  }

  private static List<What> whats(List<Change> changes) {
    return changes.stream().map(Change::what).toList();
  }

  @Test
  @DisplayName("Each read reports the changes since the one before")
  void changes() throws Exception {
    ListingChanges changes = new ListingChanges();
    assertEquals(List.of(), next(changes));
    Lease lease = one.lock(name).acquire();
    assertEquals(List.of(What.TAKEN), whats(next(changes)));
    assertEquals(List.of(), next(changes));
    CompletableFuture<Lease> waiter = two.lock(name).acquireAsync().toCompletableFuture();
    awaitWaiters(1);
    assertEquals(List.of(What.WAITERS), whats(next(changes)));
    lease.release();
    Lease passed = Await.value(waiter);
    assertEquals(List.of(What.PASSED_ON), whats(next(changes)));
    passed.release();
    List<Change> last = next(changes);
    assertEquals(List.of(What.RELEASED), whats(last));
    assertEquals(name, last.get(0).lock().name());
    assertEquals(List.of(), next(changes));
  }

  @Test
  @DisplayName("A server that goes: the command's own message alone, and exit code 69")
  void serverGoes() throws Exception {
    Launched watch;
    try (RedisServer other = RedisServers.start()) {
      other.call("SET", "lh:{a}", "b-1-abcd:00", "PX", "60000");
      watch =
          Launched.start(
              Map.of("LEASEHOLD_REDIS_URI", other.uri()), "watch", "--backend", "redis-set");
      watch.lines(1);
    }
    assertEquals(69, watch.exitCode());
    List<String> said = watch.stderr().lines().toList();
    assertTrue(said.stream().allMatch(line -> line.startsWith("leasehold: ")), watch::stderr);
  }

  @Test
  @DisplayName("A minimum hold, and a latch, have no holder")
  void withoutHolder() throws Exception {
    ListingChanges changes = new ListingChanges();
    LockOptions kept = LockOptions.builder().atLeast(Duration.ofSeconds(5)).build();
    Lease lease = one.lock(name, kept).acquire();
    assertEquals(List.of(What.TAKEN), whats(next(changes)));
    lease.release();
    assertEquals(List.of(What.RELEASED), whats(next(changes)));
    assertEquals(List.of(What.IN_USE), whats(next(new ListingChanges())));
    Await.until("it is free", () -> !admin.list(name).iterator().hasNext());
    assertEquals(List.of(What.ENDED), whats(next(changes)));

    DistributedLatch latch = one.latch(name);
    latch.open(2, Duration.ofMinutes(1));
    assertEquals(List.of(What.IN_USE), whats(next(changes)));
    latch.countDown();
    List<Change> counted = next(changes);
    assertEquals(List.of(What.COUNTED), whats(counted));
    assertEquals(1, counted.get(0).lock().missing().orElseThrow());
    assertEquals(List.of(), next(changes));
  }

  @Test
  @DisplayName("A lease that ends without a release expired")
  void expired() throws Exception {
    ListingChanges changes = new ListingChanges();
    one.lock(name, LockOptions.builder().fixedLease(Duration.ofSeconds(6)).build()).acquire();
    assertEquals(List.of(What.TAKEN), whats(next(changes)));
    Await.until("its lease has less than half left", () -> left().toMillis() < 2500);
    assertEquals(List.of(), next(changes));
    Await.until("it is free", () -> !admin.list(name).iterator().hasNext());
    List<Change> last = next(changes);
    assertEquals(List.of(What.EXPIRED), whats(last));
    assertEquals(1, last.get(0).lock().holds().size(), "the holder it had");
  }

  private Duration left() {
    return admin.list(name).iterator().next().holds().get(0).remaining().orElseThrow();
  }

  @Test
  @DisplayName("Of more holders than an entry has, the number is compared")
  void crowd() {
    ListingChanges changes = new ListingChanges();
    assertEquals(List.of(What.TAKEN), whats(changes.next(List.of(crowd(200)))));
    assertEquals(List.of(), changes.next(List.of(crowd(200))));
    assertEquals(List.of(What.PASSED_ON), whats(changes.next(List.of(crowd(201)))));
  }

  private ListedLock crowd(int holders) {
    ListedHold first =
        new ListedHold(
            new HoldId("0123456789abcdef"),
            Side.READ,
            HoldState.HELD,
            "reader",
            Optional.of(Duration.ofSeconds(9)),
            Optional.empty(),
            OptionalLong.empty(),
            1,
            new Votes(List.of("node"), true),
            Optional.empty());
    return entry(name, List.of(first), holders);
  }

  @Test
  @DisplayName("More locks than can be remembered are refused")
  void many() {
    List<ListedLock> most = IntStream.range(0, ListingChanges.MOST).mapToObj(this::entry).toList();
    ListingChanges changes = new ListingChanges();
    assertEquals(most.size(), changes.next(most).size());
    List<ListedLock> more =
        IntStream.rangeClosed(0, ListingChanges.MOST).mapToObj(this::entry).toList();
    TooManyLocksException e = assertThrows(TooManyLocksException.class, () -> changes.next(more));
    assertTrue(String.valueOf(e.getMessage()).startsWith("PATTERN: more than 10000"), e::toString);
  }

  private ListedLock entry(int number) {
    return entry(name + number, List.of(), 0);
  }

  private static ListedLock entry(String name, List<ListedHold> holds, int holders) {
    return new ListedLock(
        name,
        KindOfLock.LOCK,
        holds,
        holders,
        1,
        OptionalInt.empty(),
        OptionalLong.empty(),
        Optional.empty());
  }

  @Test
  @DisplayName("The command prints the locks in use, as lines or JSON, and ends in time")
  void command() throws Exception {
    Lease lease = one.lock(name).acquire();
    UsageTest.Said said =
        UsageTest.Said.by("watch", name, "--for", "100ms", "--redis", server.uri());
    assertEquals(0, said.code(), said.err());
    assertTrue(
        said.out().matches("\\d\\d:\\d\\d:\\d\\d taken, lock '" + name + "': held by .*\\R"),
        said.out());
    UsageTest.Said exact =
        UsageTest.Said.by(
            "watch", name, "--for", "100ms", "--every", "100ms", "--json", "--redis", server.uri());
    JsonObject json = JsonParser.parseString(exact.out()).getAsJsonObject();
    assertEquals("TAKEN", json.get("change").getAsString());
    assertEquals(name, json.getAsJsonObject("lock").get("name").getAsString());
    lease.release();
  }

  @Test
  @DisplayName("A cycle of processes is marked in the graph of waiters")
  void graph() throws Exception {
    Lease first = one.lock(name).acquire();
    Lease second = two.lock(name + "-b").acquire();
    CompletableFuture<Lease> wantsSecond =
        one.lock(name + "-b").acquireAsync().toCompletableFuture();
    CompletableFuture<Lease> wantsFirst = two.lock(name).acquireAsync().toCompletableFuture();
    Await.until("both wait", () -> admin.waits(name + "*").waits().size() == 2);
    String[] words = {"wait-graph", name + "*", "--redis", server.uri()};
    UsageTest.Said said = UsageTest.Said.by(words);
    assertEquals(0, said.code(), said.err());
    List<String> lines = said.out().lines().toList();
    assertEquals(3, lines.size(), said.out());
    assertTrue(
        lines.get(0).endsWith("(cycle 1)") && lines.get(1).endsWith("(cycle 1)"), said.out());
    assertTrue(lines.get(2).matches("cycle 1: .*, .* wait for each other"), said.out());
    JsonObject json =
        JsonParser.parseString(
                UsageTest.Said.by(words[0], words[1], words[2], words[3], "--json").out())
            .getAsJsonObject();
    JsonArray waits = json.getAsJsonArray("waits");
    assertEquals(2, waits.size());
    assertEquals(2, json.getAsJsonArray("cycles").get(0).getAsJsonArray().size());
    assertEquals(1, waits.get(0).getAsJsonObject().get("cycle").getAsInt());
    second.release();
    Await.value(wantsSecond).release();
    first.release();
    Await.value(wantsFirst).release();
  }
}
