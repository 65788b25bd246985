package dev.leasehold.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.leasehold.admin.Finding;
import dev.leasehold.admin.LockAdmin;
import dev.leasehold.lock.LockManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The doctor")
class DoctorTest extends OnServer {

  private static UsageTest.Said doctor(String... words) {
    List<String> all = new ArrayList<>(List.of("doctor", "--redis", server.uri()));
    all.addAll(Arrays.asList(words));
    return UsageTest.Said.by(all.toArray(String[]::new));
  }

  private static List<JsonObject> findings(UsageTest.Said said) {
    return said.out().lines().map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
  }

  private static String text(JsonObject finding, String member) {
    return finding.has(member) ? finding.get(member).getAsString() : "";
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis-setnx", "redis-set", "redisson"})
  @DisplayName("acquires each kind of lock, passes one on, and lists the guarantees")
  void sound(String backend) {
    UsageTest.Said said = doctor("--backend", backend);
    assertEquals(0, said.code(), said.out() + said.err());
    assertTrue(
        said.out()
            .matches("(?s).*ok +trial +Acquired and released: lock \\(in .* ms\\), read lock, .*"),
        said.out());
    assertTrue(said.out().contains("Passed to a waiter of another manager in "), said.out());
    assertTrue(said.out().contains("Guaranteed: owned, "), said.out());
  }

  @Test
  @DisplayName("without a trial writes nothing")
  void withoutTrial() {
    redis("FLUSHALL");
    UsageTest.Said said = doctor("--no-trial", "--json");
    assertEquals(0, said.code(), said.err());
    List<JsonObject> findings = findings(said);
    assertTrue(findings.size() >= 7, said.out());
    assertTrue(
        findings.stream().noneMatch(finding -> text(finding, "topic").equals("TRIAL")), said.out());
    assertEquals(0L, redis("DBSIZE").orElseThrow());
  }

  @Test
  @DisplayName("reads its settings once: a second look at a pipe finds none")
  void pipe() throws Exception {
    List<String> words = new ArrayList<>(List.of("sh", "-c", "echo \"$0\" | \"$@\""));
    words.add("lock.redis.uri = " + server.uri());
    words.addAll(Launched.java());
    words.addAll(List.of("doctor", "--config", "/dev/stdin"));
    try (Launched doctor = Launched.of(Map.of(), "", words)) {
      assertEquals(0, doctor.exitCode(), doctor.stdout() + doctor.stderr());
    }
  }

  @Test
  @DisplayName("finds an evicting server, with advice and its own exit code")
  void evicting() {
    redis("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    redis("CONFIG", "SET", "maxmemory", "100mb");
    try {
      UsageTest.Said said = doctor();
      assertEquals(ExitCode.UNSOUND, said.code(), said.out());
      assertTrue(said.out().contains("-> CONFIG SET maxmemory-policy noeviction"), said.out());
      assertTrue(said.out().contains("No manager opens with these settings"), said.out());
    } finally {
      redis("CONFIG", "SET", "maxmemory", "0");
      redis("CONFIG", "SET", "maxmemory-policy", "noeviction");
    }
  }

  @Test
  @DisplayName("finds a user without permission to acquire locks or to subscribe")
  void rights() {
    redis("ACL", "SETUSER", "few", "on", ">pw", "~other*", "resetchannels", "+@all");
    redis("ACL", "SETUSER", "deaf", "on", ">pw", "~*", "resetchannels", "+@all");
    try {
      UsageTest.Said refused = as("few");
      assertEquals(ExitCode.UNSOUND, refused.code(), refused.out());
      assertTrue(
          refused.out().contains("could not be acquired and released")
              && refused.out().contains("-> Permit the commands"),
          refused.out());
      UsageTest.Said deaf = as("deaf");
      assertTrue(deaf.out().contains("A waiter is not woken"), deaf.out() + deaf.err());
      assertTrue(deaf.out().contains("-> Permit subscribing"), deaf.out());
    } finally {
      redis("ACL", "DELUSER", "few", "deaf");
    }
  }

  private static UsageTest.Said as(String user) {
    return doctor("--set", "redis.username=" + user, "--set", "redis.password=pw");
  }

  @Test
  @DisplayName("finds managers that do not exclude each other")
  void noExclusion() throws Exception {
    try (LockAdmin admin = LockAdmin.open(settings("other:"));
        LockManager here = LockManager.open(settings("here:"));
        LockManager there = LockManager.open(settings("there:"))) {
      Trial trial = new Trial(settings("other:"), admin, name);
      trial.handOver(here, there);
      assertTrue(
          trial.findings.stream()
              .anyMatch(
                  finding ->
                      finding.level() == Finding.Level.PROBLEM
                          && finding.text().startsWith("Two managers held")),
          trial.findings::toString);
    }
  }

  private static CommandSettings settings(String prefix) {
    CommandSettings settings = new CommandSettings();
    settings.put("lock.redis.uri", server.uri(), "test");
    settings.put("lock.redis.key-prefix", prefix, "test");
    settings.chooseBackend();
    return settings;
  }

  @Test
  @DisplayName("says when its own name is held")
  void held() {
    takeAway();
    UsageTest.Said said = doctor("--name", name);
    assertEquals(ExitCode.UNSOUND, said.code(), said.out());
    assertTrue(said.out().contains("The lock is held by others."), said.out());
  }

  @Test
  @DisplayName("ends with 69 where there is no server")
  void noServer() {
    UsageTest.Said said = UsageTest.Said.by("doctor", "--redis", "redis://127.0.0.1:1");
    assertEquals(ExitCode.STORE, said.code(), said.out() + said.err());
  }
}
