package dev.leasehold.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.admin.Finding.Level;
import dev.leasehold.admin.Finding.Topic;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An examination of real servers")
class ExaminationTest extends OnOneServer {

  private static List<Finding> of(List<Finding> findings, Topic topic) {
    return findings.stream().filter(finding -> finding.topic() == topic).toList();
  }

  @Test
  @DisplayName("reports type, clock and latency of a server, and writes nothing")
  void sound() {
    List<Finding> findings = admin().examine();
    assertTrue(
        of(findings, Topic.SERVER).get(0).text().matches("(Redis|Valkey) \\d+\\.\\d+.*, up for .*"),
        findings::toString);
    assertEquals(Level.OK, of(findings, Topic.CLOCK).get(0).level(), findings::toString);
    assertEquals(Level.OK, of(findings, Topic.EVICTION).get(0).level(), findings::toString);
    assertEquals(1, of(findings, Topic.LATENCY).size());
    assertEquals(List.of(), of(findings, Topic.RIGHTS));
    assertEquals(0L, server.call("DBSIZE").orElseThrow());
  }

  @Test
  @DisplayName("finds a server that evicts keys")
  void evicting() {
    server.call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    server.call("CONFIG", "SET", "maxmemory", "100mb");
    try {
      List<Finding> findings = of(admin().examine(), Topic.EVICTION);
      assertEquals(Level.PROBLEM, findings.get(0).level(), findings::toString);
      List<Finding> allowed =
          of(admin("lock.redis.allow-eviction", "true").examine(), Topic.EVICTION);
      assertEquals(Level.WARNING, allowed.get(0).level(), allowed::toString);
    } finally {
      server.call("CONFIG", "SET", "maxmemory", "0");
      server.call("CONFIG", "SET", "maxmemory-policy", "noeviction");
    }
  }

  @Test
  @DisplayName("finds missing permissions, and says so without INFO")
  void rights() {
    server.call("ACL", "SETUSER", "few", "on", ">pw", "~*", "&*", "+@all", "-client", "-scan");
    server.call("ACL", "SETUSER", "none", "on", ">pw", "~*", "&*", "+@all", "-info");
    try {
      List<Finding> findings = as("few");
      assertEquals(2, of(findings, Topic.RIGHTS).size(), findings::toString);
      assertTrue(
          findings.stream().allMatch(finding -> finding.level() != Level.PROBLEM),
          findings::toString);
      List<Finding> blind = of(as("none"), Topic.SERVER);
      assertEquals(Level.PROBLEM, blind.get(0).level(), blind::toString);
      assertTrue(blind.get(0).advice().contains("INFO"), blind::toString);
    } finally {
      server.call("ACL", "DELUSER", "few", "none");
    }
  }

  private List<Finding> as(String user) {
    return admin("lock.redis.username", user, "lock.redis.password", "pw").examine();
  }

  @Test
  @DisplayName("of a quorum says which node did not answer, and when there is no quorum")
  void quorum() {
    String gone = "redis://127.0.0.1:1";
    List<Finding> one = of(nodes(server.uri(), server.uri() + "/1", gone), Topic.SERVER);
    assertEquals(1, one.stream().filter(f -> f.level() == Level.WARNING).count(), one::toString);
    assertTrue(one.toString().contains("127.0.0.1:1"), one::toString);
    List<Finding> most = nodes(server.uri(), gone, "redis://127.0.0.1:2");
    assertTrue(
        most.stream()
            .anyMatch(
                f ->
                    f.level() == Level.PROBLEM
                        && f.text().contains("of 3 nodes vote, which is no")),
        most::toString);
  }

  private List<Finding> nodes(String... uris) {
    LockSettings settings = LockSettings.of(Map.of("lock.redlock.nodes", String.join(",", uris)));
    return admin(settings).examine();
  }

  @Test
  @DisplayName("A wrong setting leaves no connection behind, whenever it is read")
  void wrongSetting() {
    long before = connections();
    for (String key :
        List.of(
            "lock.command-timeout",
            "lock.redis-set.wait-replicas",
            "lock.redis.allow-eviction",
            "lock.redlock.longest-lease")) {
      assertThrows(LockConfigurationException.class, () -> admin(key, "x"), key);
    }
    // A server may see the end of those later, and of those of tests before.
    Await.until("none is left", () -> connections() <= before);
  }

  private static long connections() {
    return String.valueOf(server.call("CLIENT", "LIST").orElseThrow()).lines().count();
  }
}
