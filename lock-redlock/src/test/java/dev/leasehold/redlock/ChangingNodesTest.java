package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.Ports;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServer.Data;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The list of nodes is changed while clients with either list run")
class ChangingNodesTest {
  private static final List<Integer> BEFORE = List.of(1, 2, 3);
  private static final List<Integer> NOW = List.of(1, 2, 3, 4, 5);

  private static final LockOptions BRIEF = LockOptions.fixed(Duration.ofSeconds(1));

  /** How an answer begins that says nothing, since the machine was busy. */
  private static final String LATE = "late: ";

  private final List<RedisServer> servers = new ArrayList<>();

  @BeforeEach
  void start() {
    for (int i = 0; i < NOW.size(); i++) {
      servers.add(RedisServers.start());
      NodeOperations.admit(servers.get(i));
    }
  }

  @AfterEach
  void stop() {
    servers.forEach(RedisServer::close);
  }

  /** As a client names them that can't reach some. */
  private String uris(List<Integer> list, List<Integer> without) {
    return list.stream()
        .map(
            i ->
                without.contains(i)
                    ? "redis://127.0.0.1:" + Ports.free()
                    : servers.get(i - 1).uri())
        .collect(Collectors.joining(","));
  }

  private static LockManager open(String now, String before) {
    Map<String, String> settings = new HashMap<>(Map.of("lock.redlock.nodes", now));
    if (!before.isEmpty()) {
      settings.put("lock.redlock.nodes-before", before);
    }
    return LockManager.open(LockSettings.of(settings));
  }

  private LockManager old(List<Integer> without) {
    return open(uris(BEFORE, without), "");
  }

  private LockManager joint(List<Integer> without) {
    String all = uris(NOW, without);
    String before =
        IntStream.range(0, BEFORE.size())
            .mapToObj(i -> all.split(",")[i])
            .collect(Collectors.joining(","));
    return open(all, before);
  }

  private LockManager alone(List<Integer> without) {
    return open(uris(NOW, without), "");
  }

  private static boolean isRefused(LockManager holder, LockManager other) {
    try (Lease lease = holder.lock("l").tryAcquire().orElseThrow()) {
      Optional<Lease> second = other.lock("l").tryAcquire();
      second.ifPresent(Lease::release);
      return second.isEmpty() && lease.isValid();
    }
  }

  @Test
  @DisplayName("The twin: without a majority of both there are two holders")
  void atOnce() {
    try (LockManager old = old(List.of(3));
        LockManager alone = alone(List.of(1, 2));
        Lease one = old.lock("l").tryAcquire().orElseThrow();
        Lease two = alone.lock("l").tryAcquire().orElseThrow()) {
      assertTrue(one.isValid() && two.isValid());
    }
  }

  @ParameterizedTest(name = "the old ones without node {0}, those of both without node {1}")
  @CsvSource({"3,4", "3,1", "1,2", "2,5"})
  @DisplayName("Step 1: some go by the old list, others by both")
  void oldAndJoint(int gone, int away) {
    try (LockManager old = old(List.of(gone));
        LockManager joint = joint(List.of(away))) {
      assertTrue(isRefused(old, joint));
      assertTrue(isRefused(joint, old));
    }
  }

  @ParameterizedTest(
      name = "those of both without node {0}, the new ones without nodes {1} and {2}")
  @CsvSource({"1,2,3", "3,4,5", "4,1,2", "2,1,3"})
  @DisplayName("Step 2: some go by both, others by the new list")
  void jointAndNew(int away, int gone, int more) {
    try (LockManager joint = joint(List.of(away));
        LockManager alone = alone(List.of(gone, more))) {
      assertTrue(isRefused(joint, alone));
      assertTrue(isRefused(alone, joint));
    }
  }

  /** Lets go at once; the words of a refusal, or nothing. */
  private static String asked(LockManager locks) {
    try {
      Optional<Lease> lease = locks.lock("n", BRIEF).tryAcquire();
      lease.ifPresent(Lease::release);
      return lease.isPresent() ? "" : LATE + "what came too late is still being undone";
    } catch (LockStoreException refusal) {
      return (refusal.kind() == Kind.TIMED_OUT ? LATE : "") + refusal.getMessage();
    }
  }

  /** Nodes have a tenth of so brief a lease to answer; a busy machine may miss that. */
  private static void assertServed(LockManager locks) {
    Await.until(
        "it is served",
        () -> {
          String words = asked(locks);
          assertTrue(words.isEmpty() || words.startsWith(LATE), words);
          assertFalse(words.contains("OTHERNODES"), words);
          return words.isEmpty();
        });
  }

  /** With a login, and leases that are over soon. */
  private LockManager brief(List<Integer> list) {
    servers.forEach(server -> server.call("ACL", "SETUSER", "u", "on", ">p", "~*", "&*", "+@all"));
    return LockManager.open(
        LockSettings.of(
            Map.of(
                "lock.redlock.nodes",
                list.stream()
                    .map(i -> servers.get(i - 1).uri().replace("redis://", "redis://u:p@"))
                    .collect(Collectors.joining(",")),
                "lock.redlock.longest-lease",
                "2s",
                "lock.redis.connect-timeout",
                "20s")));
  }

  @Test
  @DisplayName("A mistake is refused, naming both lists and no login, until leases must be over")
  void noticed() {
    try (LockManager old = brief(BEFORE);
        LockManager alone = brief(NOW)) {
      Await.until("it was used", () -> asked(old).isEmpty());
      String[] told = new String[1];
      Await.until(
          "no node was late",
          () -> {
            asked(old); // or its leases might be over
            told[0] = asked(alone);
            return !told[0].startsWith(LATE);
          });
      String words = told[0];
      assertTrue(words.contains("OTHERNODES"), words);
      String both =
          servers.subList(0, 3).stream()
              .map(server -> "redis://" + server.host() + ":" + server.port())
              .collect(Collectors.joining(","));
      assertTrue(words.contains("with the nodes " + both + ", and"), words);
      assertTrue(words.contains("none with " + both + ",redis:"), words);
      assertEquals(-1, words.indexOf("u:p"), words);
      Await.until(
          "leases are over", Duration.ofSeconds(30), () -> asked(alone).isEmpty()); // stands still
    }
  }

  @Test
  @DisplayName("Lists that differ by one node are no mistake, nor is a node that came back empty")
  void byOne() {
    try (LockManager three = brief(List.of(1, 2, 3));
        LockManager four = brief(List.of(1, 2, 3, 4))) {
      Await.until("it was used", () -> asked(three).isEmpty());
      assertServed(four);
      assertServed(three);
      servers.get(0).kill();
      servers.get(0).restart(Data.LOSE);
      servers.get(0).call("ACL", "SETUSER", "u", "on", ">p", "~*", "&*", "+@all");
      for (int i = 0; i < 20; i++) {
        assertFalse(asked(three).contains("OTHERNODES"));
        assertFalse(asked(four).contains("OTHERNODES"));
      }
      try (LockManager fresh = brief(List.of(1, 2, 3))) {
        Await.until("it votes again", Duration.ofSeconds(30), () -> asked(fresh).isEmpty());
        assertServed(three);
        assertServed(four);
      }
    }
  }

  @Test
  @DisplayName("Tokens grow over the whole change")
  void tokens() throws Exception {
    long last = 0;
    try (LockManager old = old(List.of(3));
        LockManager joint = joint(List.of(1));
        LockManager alone = alone(List.of(2, 3))) {
      for (LockManager each : List.of(old, joint, old, joint, alone, joint, alone)) {
        try (Lease lease = each.lock("l").acquire()) {
          assertTrue(lease.fencingToken() > last, lease.fencingToken() + " after " + last);
          last = lease.fencingToken();
        }
      }
    }
  }

  @Test
  @DisplayName("A node in both lists counts once, whatever its login; a wrong list is reported")
  void settings() {
    RedisServer first = servers.get(0);
    first.call("ACL", "SETUSER", "u", "on", ">p", "~*", "&*", "+@all");
    String before =
        "redis://u:p@" + first.host() + ":" + first.port() + "," + uris(List.of(2, 3), List.of());
    try (LockManager joint = open(uris(NOW, List.of()), before)) {
      joint.lock("l").tryAcquire().orElseThrow().release();
    }
    String two = uris(List.of(1, 2), List.of());
    LockConfigurationException e =
        assertThrows(
            LockConfigurationException.class, () -> open(uris(NOW, List.of()), two).close());
    assertTrue(e.getMessage().contains("lock.redlock.nodes-before"), e.getMessage());
    assertEquals(-1, e.getMessage().indexOf("u:p"), e.getMessage());
  }
}
