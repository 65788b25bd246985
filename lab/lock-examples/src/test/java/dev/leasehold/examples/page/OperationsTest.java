package dev.leasehold.examples.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Repository;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The page of operations describes the keys of a real server")
class OperationsTest {
  private static final Pattern BESIDE = Pattern.compile("[bB]eside\\(\\s*name,([^)]*)\\)");
  private static final Pattern KEY = Pattern.compile("\"(:[a-z:]+)\"");

  private static LockManager open(RedisServer server, String backend, String label) {
    return LockManager.open(
        LockSettings.of(
            Map.of("lock.backend", backend, "lock.redis.uri", server.uri(), "lock.label", label)));
  }

  private static Set<String> found(RedisServer server, String pattern) {
    return ((List<?>) server.call("KEYS", pattern).orElseThrow())
        .stream().map(String::valueOf).collect(Collectors.toSet());
  }

  private static String text(RedisServer server, String... command) {
    return String.valueOf(server.call(command).orElse("nothing"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis-set", "redis-setnx"})
  @DisplayName("Holders, waiters, their addresses, and what a minimum hold leaves")
  void keys(String backend) throws Exception {
    try (RedisServer server = RedisServers.start(ServerOptions.defaults());
        LockManager one = open(server, backend, "one");
        LockManager two = open(server, backend, "two")) {
      LockOptions job = LockOptions.builder().atLeast(Duration.ofMinutes(1)).build();
      Lease lease = one.lock("a{b}", job).acquire();
      CompletableFuture<Lease> waiter = two.lock("a{b}").acquireAsync().toCompletableFuture();
      String lock = "lh:{a%7Bb%7D}";
      Await.until("it waits", () -> found(server, "lh:*").contains(lock + ":wait"));
      assertEquals(Set.of(lock, lock + ":fence", lock + ":wait"), found(server, "*"));
      assertEquals(Set.of(lock), found(server, "lh:{*}"));
      assertTrue(text(server, "GET", lock).startsWith("one:"));
      assertTrue(text(server, "ZRANGE", lock + ":wait", "0", "-1").contains(":two:"));
      assertEquals(Long.toString(lease.fencingToken()), text(server, "GET", lock + ":fence"));
      for (String suffix : List.of("", ":fence", ":wait")) {
        assertTrue(Long.parseLong(text(server, "PTTL", lock + suffix)) > 0, suffix);
      }
      String clients = text(server, "CLIENT", "LIST");
      assertTrue(clients.contains("name=one ") && clients.contains("name=two "), clients);
      lease.release();
      assertTrue(text(server, "GET", lock).startsWith("-one:"));
      assertFalse(waiter.isDone());
      server.call("DEL", lock);
      Await.value(waiter).release(); // found free within a second, as documented
    }
  }

  @Test
  @DisplayName("The page names these keys")
  void named() throws IOException {
    String page = Files.readString(Repository.root().resolve("docs/operations.md"));
    for (String key : List.of("lh:{name}", "lh:{name}:fence", "lh:{name}:wait", "lh:node")) {
      assertTrue(page.contains("| `" + key + "` |"), key);
    }
    for (String value : List.of("label:secret", "+label:secret", "-label:secret")) {
      assertTrue(page.contains("| `" + value + "` |"), value);
    }
  }

  @Test
  @DisplayName("The page names each key that accompanies a lock's")
  void beside() throws IOException {
    String page = Files.readString(Repository.root().resolve("docs/operations.md"));
    List<String> suffixes = new ArrayList<>();
    Path common = Repository.folder("lock-redis-common").resolve("src/main/java");
    try (Stream<Path> files = Files.walk(common)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        Matcher calls = BESIDE.matcher(Files.readString(file));
        while (calls.find()) {
          KEY.matcher(calls.group(1)).results().forEach(key -> suffixes.add(key.group(1)));
        }
      }
    }
    assertTrue(suffixes.size() > 15, suffixes::toString);
    suffixes.remove(":slots:number"); // covered by the hash ':slots:of'
    assertEquals(
        List.of(),
        suffixes.stream()
            .filter(key -> !page.contains("`lh:{name}" + key) && !page.contains("`" + key + "`"))
            .toList());
  }
}
