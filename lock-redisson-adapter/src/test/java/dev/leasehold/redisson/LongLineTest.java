package dev.leasehold.redisson;

import static dev.leasehold.redisson.Apps.PATIENT;
import static dev.leasehold.redisson.Apps.WELL_BEFORE;
import static dev.leasehold.redisson.Apps.took;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.testkit.Await;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A fair lock's long line does not block the server")
class LongLineTest {
  private static final String NAME = "line";
  private static final String LINE = "redisson_lock_queue:{" + NAME + "}";
  private static final String PLACES = "redisson_lock_timeout:{" + NAME + "}";
  private static final String PLAIN = "7b1c6ad4-0000-4000-8000-000000000000:";
  private static final String NEVER = "9999999999999";

  /** How many places one script looks at. */
  private static final long MOST = 500;

  private final Apps apps = new Apps();
  private final DistributedLock ours = apps.ours(RedissonMode.FAIR).lock(NAME, PATIENT);

  @AfterEach
  void close() {
    apps.close();
  }

  /** Has so many more stand in line, at one of its ends. */
  private void stand(String end, int count, String id, String until) {
    String script =
        "for i = 1, tonumber(ARGV[1]) do redis.call(ARGV[4], KEYS[1], ARGV[2] .. i)"
            + " redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2] .. i) end";
    String many = Integer.toString(count);
    apps.server().call("EVAL", script, "2", LINE, PLACES, many, id, until, end);
  }

  /** How often the server has run a command, in scripts as well. */
  private long calls(String command) {
    String stats = String.valueOf(apps.server().call("INFO", "commandstats").orElseThrow());
    Matcher calls = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)").matcher(stats);
    return calls.find() ? Long.parseLong(calls.group(1)) : 0;
  }

  @Test
  @DisplayName("A request on a lock whose waiters have all died passes over them at once")
  void allDead() {
    stand("RPUSH", 5000, "dead:", "1");
    ours.tryAcquire().orElseThrow().release();
    assertTrue(calls("lpop") <= MOST, () -> calls("lpop") + " places, one by one");
    assertEquals(0, apps.inLine(NAME));
    assertEquals(0L, apps.server().call("EXISTS", PLACES).orElseThrow());
  }

  @Test
  @DisplayName(
      "A place behind thousands of expired ones is found within a few requests, and" + " notified")
  void aliveBehindTheDead() {
    stand("RPUSH", 1200, "dead:", "1");
    stand("RPUSH", 1, PLAIN, NEVER);
    long told = calls("publish");
    for (int question = 1; question <= 3; question++) {
      long before = calls("lpop");
      assertEquals(Optional.empty(), ours.tryAcquire());
      long passed = calls("lpop") - before;
      assertTrue(passed <= MOST, () -> passed + " places in one question");
    }
    assertEquals(1, apps.inLine(NAME));
    assertTrue(calls("publish") > told, "it was not notified that it is the first");
  }

  @Test
  @DisplayName("A release with thousands of dead waiters reaches one of ours behind them")
  void releasedToTheDead() throws Exception {
    Lease lease = ours.acquire();
    CompletableFuture<Lease> waiting = ours.acquireAsync().toCompletableFuture();
    Await.until("it is in line", () -> apps.inLine(NAME) == 1);
    stand("LPUSH", 1200, "dead:", "1");
    long before = calls("lpop");
    long scripts = calls("evalsha");
    lease.release();
    assertTrue(took(waiting).compareTo(WELL_BEFORE) < 0);
    long passed = calls("lpop") - before;
    long sent = calls("evalsha") - scripts;
    assertTrue(passed <= MOST * sent, () -> passed + " places in " + sent + " scripts");
    Await.value(waiting).release();
  }

  @Test
  @DisplayName("Thousands of waiters are not visited one by one at a request, nor at a grant")
  void manyWait() throws Exception {
    Lease lease = ours.acquire();
    CompletableFuture<Lease> first = ours.acquireAsync().toCompletableFuture();
    Await.until("it is in line", () -> apps.inLine(NAME) == 1);
    stand("RPUSH", 3000, PLAIN, NEVER);
    long before = calls("zscore");
    CompletableFuture<Lease> last = ours.acquireAsync().toCompletableFuture();
    Await.until("it stands behind them", () -> apps.inLine(NAME) == 3002);
    lease.release();
    Await.value(first).release();
    long looked = calls("zscore") - before;
    assertTrue(looked < 3000, () -> looked + " places looked at");
    last.cancel(true);
  }
}
