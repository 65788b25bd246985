package dev.leasehold.examples.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.page.OperationsPage.Command;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The page of operations shows holders and waiters, as on a server")
class WhoHoldsTest extends OperatedKeys {
  /** Holds of the first manager and waiting requests of the second, for every supported kind. */
  private static List<CompletionStage<?>> everything(LockManager one, LockManager two)
      throws InterruptedException {
    one.lock("orders").acquire();
    List<CompletionStage<?>> waiting = new ArrayList<>();
    waiting.add(two.lock("orders").acquireAsync());
    if (one.guarantees().contains(Guarantee.SHARED)) {
      one.readWriteLock("page").write().acquire();
      one.readWriteLock("page").read().acquire();
      waiting.add(two.readWriteLock("page").write().acquireAsync());
    }
    if (one.guarantees().contains(Guarantee.PERMITS)) {
      one.semaphore("export", 2).acquire(2);
      waiting.add(two.semaphore("export", 2).acquireAsync(1));
    }
    if (one.guarantees().contains(Guarantee.LATCH)) {
      assertTrue(one.latch("loaded").open(2, Duration.ofHours(1)));
      waiting.add(two.latch("loaded").awaitAsync());
    }
    return waiting;
  }

  private static boolean isTold(Command command, String answer) {
    if (answer.isEmpty() || answer.equals("[]") || answer.equals("-2")) {
      return false;
    }
    boolean waiters = command.tells().contains("waiters");
    boolean holder = command.tells().contains("label");
    return (!waiters || answer.contains("two:")) && (!holder || answer.contains("one:"));
  }

  @ParameterizedTest
  @EnumSource(
      value = Backend.class,
      names = {"REDIS_SET", "REDIS_SETNX", "REDISSON"})
  @DisplayName("Every command shows it, for every kind")
  void shown(Backend backend) throws Exception {
    try (LockManager one = backend.open("one");
        LockManager two = backend.open("two")) {
      List<CompletionStage<?>> waiting = everything(one, two);
      RedisServer server = backend.nodes().get(0);
      List<Command> commands = backend.showing();
      assertTrue(commands.size() > 5, commands::toString);
      for (Command each : commands) {
        Await.until(
            each + " shows it: " + each.answer(server), () -> isTold(each, each.answer(server)));
      }
      waiting.forEach(stage -> stage.toCompletableFuture().cancel(false));
    }
  }

  @Test
  @DisplayName("Each node reports a quorum's slots")
  void slots() throws Exception {
    try (LockManager one = Backend.QUORUM.open("one");
        LockManager two = Backend.QUORUM.open("two")) {
      List<CompletionStage<?>> waiting = everything(one, two);
      for (RedisServer node : servers.servers()) {
        for (Command each : OperationsPage.read().showing().get(QUORUM)) {
          Await.until(each + " shows it", () -> isTold(each, each.answer(node)));
        }
      }
      waiting.forEach(stage -> stage.toCompletableFuture().cancel(false));
    }
  }

  @Test
  @DisplayName("Each kind is found by its own pattern, and the latch's time is 150 s more")
  void found() throws Exception {
    try (LockManager one = Backend.REDIS_SET.open("one");
        LockManager two = Backend.REDIS_SET.open("two")) {
      List<CompletionStage<?>> waiting = everything(one, two);
      RedisServer server = servers.servers().get(0);
      Map<String, String> names =
          Map.of(
              "",
              "orders",
              ":readers",
              "page",
              ":writer",
              "page",
              ":permits",
              "export",
              ":latch",
              "loaded");
      names.forEach(
          (suffix, name) ->
              assertEquals(
                  "[lh:{" + name + "}" + suffix + "]", scanning("lh:{*}" + suffix).answer(server)));
      long latch = Long.parseLong(answer(server, "PTTL", "lh:{loaded}:latch"));
      assertTrue(latch > 3_600_000 && latch <= 3_750_000, () -> latch + " ms");
      waiting.forEach(stage -> stage.toCompletableFuture().cancel(false));
    }
  }

  private static Command scanning(String pattern) {
    return new Command("redis-cli --scan --pattern '" + pattern + "'", "");
  }

  @Test
  @DisplayName("All locks are found, however many keys there are")
  void all() throws Exception {
    RedisServer server = servers.servers().get(0);
    List<Command> scans =
        OperationsPage.read().showing().get(LH).stream()
            .filter(each -> each.scans().isPresent())
            .toList();
    assertEquals(2, scans.size(), scans::toString);
    assertEquals(scanning("lh:{*}").line(), scans.get(0).line());
    assertEquals(scanning("lh:{*}:readers").line(), scans.get(1).line());
    Set<String> expected = new TreeSet<>();
    try (LockManager one = Backend.REDIS_SET.open("one")) {
      for (int hundred = 0; hundred < 30; hundred++) {
        String[] names = new String[100];
        for (int i = 0; i < names.length; i++) {
          names[i] = "order-" + hundred + "-" + i;
          expected.add("lh:{" + names[i] + "}");
        }
        one.all(names).acquire();
      }
      assertEquals(expected.toString(), scans.get(0).answer(server));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Backend.class,
      names = {"REDIS_SET", "REDIS_SETNX", "REDISSON"})
  @DisplayName("Since when a lock is held can be read from its fence")
  void since(Backend backend) throws Exception {
    RedisServer server = backend.nodes().get(0);
    Command fence =
        backend.showing().stream()
            .filter(each -> each.tells().startsWith("since when: µs since 1970"))
            .findFirst()
            .orElseThrow();
    try (LockManager one = backend.open("one")) {
      one.lock("orders").acquire().release();
      long before = micros(server);
      Lease lease = one.lock("orders").acquire();
      long after = micros(server);
      assertTrue(lease.extend(LONGER));
      long told = Long.parseLong(fence.answer(server).replaceAll("\\+.*", ""));
      assertTrue(before <= told && told <= after, () -> before + " " + told + " " + after);
      lease.release();
    }
  }

  /** The server's time. */
  private static long micros(RedisServer server) {
    List<?> time = (List<?>) server.call("TIME").orElseThrow();
    return Long.parseLong(String.valueOf(time.get(0))) * 1_000_000
        + Long.parseLong(String.valueOf(time.get(1)));
  }

  @Test
  @DisplayName("Redisson's fair line, and the ends of sides on its keys")
  void redissons() throws Exception {
    String page = OperationsPage.read().text();
    RedisServer server = servers.servers().get(0);
    try (LockManager one = Backend.REDISSON_FAIR.open("one");
        LockManager two = Backend.REDISSON_FAIR.open("two")) {
      List<CompletionStage<?>> waiting = everything(one, two);
      String line = "LRANGE redisson_lock_queue:{orders} 0 -1";
      assertTrue(page.contains("`" + line + "`"));
      Await.until("it waits", () -> answer(server, line.split(" ")).contains("two:"));
      waiting.forEach(stage -> stage.toCompletableFuture().cancel(false));
    }
    try (LockManager one = Backend.REDISSON.open("one")) {
      String end = "PTTL {page}:label:secret:rwlock_timeout:1";
      assertTrue(page.contains("`" + end + "`, for a writer with `:write` behind the secret"));
      for (String side : List.of("", ":write")) {
        Lease lease =
            side.isEmpty()
                ? one.readWriteLock("page").read().acquire()
                : one.readWriteLock("page").write().acquire();
        Matcher token = TOKEN.matcher(answer(server, "HGETALL", "page"));
        assertTrue(token.find());
        String asked = end.replace("label:secret", token.group() + side);
        assertTrue(Long.parseLong(answer(server, asked.split(" "))) > 0, asked);
        lease.release();
      }
    }
  }
}
