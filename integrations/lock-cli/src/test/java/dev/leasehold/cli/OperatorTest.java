package dev.leasehold.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.Await;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Listing, showing, breaking, maintaining")
class OperatorTest extends OnServer {
  private LockManager locks;

  @BeforeEach
  void open() {
    locks = manager();
  }

  private static LockManager manager() {
    CommandSettings settings = new CommandSettings();
    settings.put("lock.redis.uri", server.uri(), "test");
    settings.put("lock.lease", "4s", "test");
    settings.chooseBackend();
    return LockManager.open(settings);
  }

  @AfterEach
  void close() {
    locks.close();
  }

  private static UsageTest.Said say(String... words) {
    List<String> all = new ArrayList<>(Arrays.asList(words));
    all.addAll(List.of("--redis", server.uri()));
    return UsageTest.Said.by(all.toArray(String[]::new));
  }

  private JsonObject shown() {
    UsageTest.Said said = say("show", name, "--json");
    assertEquals(0, said.code(), said.err());
    return JsonParser.parseString(said.out()).getAsJsonObject();
  }

  private String id() {
    return shown().getAsJsonArray("holds").get(0).getAsJsonObject().get("id").getAsString();
  }

  @Test
  @DisplayName("Held locks are listed with their holder, and free ones are not")
  void listed() {
    Lease lease = locks.lock(name).acquireUninterruptibly();
    UsageTest.Said said = say("ls", name + "*");
    assertTrue(said.out().startsWith("lock '" + name + "': held by "), said.out() + said.err());
    assertTrue(said.out().contains("token " + lease.fencingToken()), said.out());
    JsonObject json = JsonParser.parseString(say("ls", name, "--json").out()).getAsJsonObject();
    assertEquals(name, json.get("name").getAsString());
    lease.release();
    assertEquals("", say("ls", name).out());
    assertEquals("'" + name + "' is free\n", say("show", name).out());
  }

  @Test
  @DisplayName("A name with control characters and markup is escaped in lines, exact in JSON")
  void hostile() {
    String hostile = "\u001b[31m<b>\n" + name;
    Lease lease = locks.lock(hostile).acquireUninterruptibly();
    UsageTest.Said said = say("show", hostile);
    assertFalse(said.out().contains("\u001b"), said.out());
    JsonObject json =
        JsonParser.parseString(say("show", hostile, "--json").out()).getAsJsonObject();
    assertEquals(hostile, json.get("name").getAsString());
    lease.release();
  }

  @Test
  @DisplayName(
      "Waiters are shown in order; a break wakes the first, and the holder loses its lease")
  void broken() throws Exception {
    Lease lease = locks.lock(name).acquire();
    try (LockManager others = manager()) {
      CompletableFuture<Lease> next = others.lock(name).acquireAsync().toCompletableFuture();
      awaitWaiters(1);
      assertEquals(1, shown().getAsJsonArray("waiters").size());
      UsageTest.Said said = say("break", name, "--id", id(), "--yes");
      assertEquals(0, said.code(), said.err());
      assertTrue(said.out().startsWith("broken; a waiter was woken"), said.out());
      Lease won = next.get();
      assertTrue(won.fencingToken() > lease.fencingToken());
      Await.until("the loss", () -> !lease.isValid());
      Assertions.assertThrows(LeaseLostException.class, lease::release);
      won.release();
    }
  }

  @Test
  @DisplayName("A successor's hold is not ended by the id of the one before")
  void successor() {
    Lease first = locks.lock(name).acquireUninterruptibly();
    String seen = id();
    first.release();
    Lease second = locks.lock(name).acquireUninterruptibly();
    UsageTest.Said said = say("break", name, "--id", seen, "--yes");
    assertEquals(ExitCode.CONTENDED, said.code(), said.out());
    assertTrue(second.isValid());
    assertEquals(1, shown().get("holders").getAsInt());
    second.release();
  }

  @Test
  @DisplayName("Gently: the name stays taken until the deadline of the hold")
  void gently() {
    Lease lease = locks.lock(name).acquireUninterruptibly();
    UsageTest.Said said = say("break", name, "--gently", "--yes");
    assertEquals(0, said.code(), said.err());
    try (LockManager others = manager()) {
      assertTrue(others.lock(name).tryAcquire().isEmpty());
      Await.until("the loss", () -> !lease.isValid());
      Await.until("the end", () -> others.lock(name).tryAcquire().isPresent());
    }
    Assertions.assertThrows(LeaseLostException.class, lease::release);
  }

  @Test
  @DisplayName("Maintenance refuses all, says why, and ends early")
  void maintained() {
    UsageTest.Said said = say("maintain", name, "--reason", "restore of orders", "--for", "1h");
    assertEquals(0, said.code(), said.err());
    assertTrue(locks.lock(name).tryAcquire().isEmpty());
    String holder = locks.lock(name).inspect().orElseThrow().holder();
    assertTrue(holder.startsWith("maintenance@restore_of_orders@until-"), holder);
    assertTrue(say("show", name).out().contains("maintenance: restore of orders"));
    assertEquals(ExitCode.CONTENDED, say("maintain", name, "--reason", "x", "--for", "1m").code());
    assertEquals(0, say("maintain", name, "--end").code());
    locks.lock(name).tryAcquire().orElseThrow().release();
  }

  @Test
  @DisplayName("Wrong usage names the option and what is allowed")
  void wrong() {
    Map.of(
            List.of("break", name, "--id", "xyz"), "16 of 0-9 a-f",
            List.of("maintain", name), "both are needed",
            List.of("maintain", name, "--for", "0s", "--reason", "x"), "from 1s to 365d",
            List.of("maintain", name, "--for", "1m", "--reason", "<b>"), "characters of A-Z",
            List.of("maintain", name, "--end", "--for", "1m"), "allowed only without",
            List.of("ls", ""), "PATTERN")
        .forEach(
            (words, allowed) -> {
              UsageTest.Said said = say(words.toArray(String[]::new));
              assertEquals(ExitCode.USAGE, said.code(), words + said.out());
              assertTrue(said.err().contains(allowed), said.err());
            });
    Lease lease = locks.lock(name).acquireUninterruptibly();
    UsageTest.Said said = say("break", name);
    assertEquals(ExitCode.USAGE, said.code());
    assertTrue(said.err().contains("--yes"), said.err());
    assertTrue(lease.isValid());
    lease.release();
  }
}
