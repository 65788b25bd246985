package dev.leasehold.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.admin.Finding.Level;
import dev.leasehold.admin.Finding.Topic;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a server's facts mean for locks")
class JudgementTest {
  private static final Judgement.Terms ONE =
      new Judgement.Terms(false, false, Duration.ofSeconds(2), 0, false);
  private static final Map<String, String> SOUND =
      Map.of(
          "redis_version", "8.6.0",
          "redis_mode", "standalone",
          "role", "master",
          "maxmemory", "0",
          "maxmemory_policy", "noeviction",
          "used_memory", "1000000",
          "connected_clients", "3",
          "maxclients", "10000",
          "aof_enabled", "1",
          "connected_slaves", "0");

  private static List<Finding> judged(Judgement.Terms terms, Map<String, String> changed) {
    return judged(terms, changed, Duration.ofMillis(1), Duration.ZERO);
  }

  private static List<Finding> judged(
      Judgement.Terms terms, Map<String, String> changed, Duration worst, Duration clockAhead) {
    Map<String, String> info = new HashMap<>(SOUND);
    info.putAll(changed);
    List<Duration> trips = List.of(Duration.ofMillis(1), Duration.ofMillis(1), worst);
    return new Judgement(new ServerFacts("host:1", info, trips, clockAhead), terms).findings();
  }

  private static Finding worst(List<Finding> findings) {
    return findings.stream()
        .reduce((a, b) -> b.level().compareTo(a.level()) > 0 ? b : a)
        .orElseThrow();
  }

  @Test
  @DisplayName("A sound server has no finding but good ones, and each is about it")
  void sound() {
    List<Finding> findings = judged(ONE, Map.of());
    assertEquals(Level.OK, worst(findings).level(), findings::toString);
    assertEquals(7, findings.stream().map(Finding::topic).distinct().count(), findings::toString);
    assertTrue(findings.stream().allMatch(finding -> finding.server().equals("host:1")));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      value = {
        "maxmemory=100,maxmemory_policy=allkeys-lru,used_memory=1; PROBLEM; EVICTION; noeviction",
        "maxmemory=100,used_memory=91; WARNING; LIMITS; maxmemory",
        "connected_clients=9500; WARNING; LIMITS; maxclients",
        "redis_version=6.0.16; WARNING; SERVER; 6.2",
        "role=slave; PROBLEM; SERVER; primary",
        "loading=1; PROBLEM; SERVER; Wait",
        "cluster_enabled=1; PROBLEM; SERVER; lock.redis.cluster",
        "aof_enabled=0; NOTICE; PERSISTENCE; appendonly",
        "rdb_last_bgsave_status=err; PROBLEM; PERSISTENCE; disk",
        "latest_fork_usec=900000; WARNING; PERSISTENCE; huge pages",
        "connected_slaves=1,slave0=online 0; NOTICE; REPLICAS; wait-replicas",
        "connected_slaves=1,slave0=online 9; WARNING; REPLICAS; failover",
        "connected_slaves=1,slave0=wait_bgsave 0; WARNING; REPLICAS; failover",
      })
  @DisplayName("Problems are reported, with advice")
  void wrong(String changes, Level level, Topic topic, String advice) {
    Map<String, String> changed = new HashMap<>();
    for (String change : changes.split(",", -1)) {
      String[] parts = change.split("=", -1);
      changed.put(parts[0], parts[1]);
    }
    changed.computeIfPresent(
        "slave0",
        (key, state) -> "ip=10.0.0.2,port=6379,state=" + state.replace(" ", ",offset=1,lag="));
    Finding finding = worst(judged(ONE, changed));
    assertEquals(level, finding.level(), finding::toString);
    assertEquals(topic, finding.topic(), finding::toString);
    assertTrue(finding.advice().contains(advice), finding::toString);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"6.2.0, OK", "7.0.15, OK", "10.0.0, OK", "5.0.14, WARNING", "unknown, OK"})
  @DisplayName("Versions older than the tested ones are said")
  void versions(String version, Level level) {
    assertEquals(level, worst(judged(ONE, Map.of("redis_version", version))).level());
  }

  @Test
  @DisplayName("Eviction that the settings accept is no problem, but said")
  void allowedEviction() {
    Judgement.Terms allowed = new Judgement.Terms(false, false, Duration.ofSeconds(2), 0, true);
    Map<String, String> evicting =
        Map.of("maxmemory", "100", "maxmemory_policy", "allkeys-lru", "used_memory", "1");
    assertEquals(Level.WARNING, worst(judged(allowed, evicting)).level());
  }

  @Test
  @DisplayName("Too few replicas for the settings are a problem; of a quorum's nodes, none is")
  void tooFewReplicas() {
    Judgement.Terms two = new Judgement.Terms(false, false, Duration.ofSeconds(2), 2, false);
    Map<String, String> one =
        Map.of("connected_slaves", "1", "slave0", "ip=h,port=1,state=online,offset=1,lag=0");
    assertEquals(Level.PROBLEM, worst(judged(two, one)).level());
    Judgement.Terms quorum = new Judgement.Terms(true, false, Duration.ofSeconds(2), 0, false);
    assertEquals(Level.OK, worst(judged(quorum, Map.of("aof_enabled", "0"))).level());
  }

  @ParameterizedTest(name = "{0} ms")
  @CsvSource({"50, OK", "-50, OK", "300, NOTICE", "-1500, WARNING"})
  @DisplayName("A clock that is off")
  void clock(long millis, Level level) {
    Duration ahead = Duration.ofMillis(millis);
    Finding finding = worst(judged(ONE, Map.of(), Duration.ofMillis(1), ahead));
    assertEquals(level, finding.level(), finding::toString);
    assertFalse(finding.text().contains("--"), finding::toString);
  }

  @Test
  @DisplayName("A server that was slow once is said")
  void slow() {
    Finding finding = worst(judged(ONE, Map.of(), Duration.ofMillis(400), Duration.ZERO));
    assertEquals(Topic.LATENCY, finding.topic(), finding::toString);
    assertEquals(Level.WARNING, finding.level(), finding::toString);
  }
}
