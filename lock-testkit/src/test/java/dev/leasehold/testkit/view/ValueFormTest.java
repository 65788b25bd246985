package dev.leasehold.testkit.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.RedisBackend;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.view.ServerView.Entry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The stored form of a lock")
class ValueFormTest {
  private static final Duration NOW = Duration.ofSeconds(1_700_000_000).plusMillis(750);
  private static final Duration LEASE = Duration.ofMillis(1500);

  @Test
  @DisplayName("each form writes the end of a lease in its own way")
  void written() {
    Map<ValueForm, String> written = new EnumMap<>(ValueForm.class);
    for (ValueForm form : ValueForm.values()) {
      written.put(form, form.write("me:x", LEASE, NOW));
    }
    assertEquals(
        Map.of(
            ValueForm.TOKEN, "me:x",
            ValueForm.EXPIRY_AND_TOKEN, "1700000002250:me:x",
            ValueForm.YII2, "1700000002",
            ValueForm.SECONDS, "1700000003",
            ValueForm.MILLIS, "1700000002250",
            ValueForm.REDIS_OBJECTS, "1700000003.25"),
        written);
  }

  @ParameterizedTest
  @EnumSource(names = "TOKEN", mode = EnumSource.Mode.EXCLUDE)
  @DisplayName("a lease is held for the requested time, and expired after the format's tolerance")
  void overInTime(ValueForm form) {
    for (int offset = 0; offset < 1000; offset += 37) {
      Duration now = NOW.plusMillis(offset);
      String value = form.write("me:x", LEASE, now);
      Duration almost = now.plus(LEASE).minusMillis(1);
      Entry held = form.read(value, Optional.empty(), almost).orElseThrow();
      assertEquals(value, held.value());
      assertTrue(held.ttl().orElseThrow().compareTo(form.linger()) <= 0, held::toString);
      Duration over = now.plus(LEASE).plus(form.linger());
      assertEquals(Optional.empty(), form.read(value, Optional.empty(), over));
    }
  }

  @Test
  @DisplayName("a value that no format writes is a holder without an end")
  void garbled() {
    for (String value : List.of("", "1", "garbage", "12:34:x:", "-")) {
      for (ValueForm form : List.of(ValueForm.TOKEN, ValueForm.REDIS_OBJECTS)) {
        Entry held = form.read(value, Optional.empty(), NOW).orElseThrow();
        assertEquals(Optional.empty(), held.ttl(), () -> form + " " + value);
      }
    }
    Entry newer = ValueForm.REDIS_OBJECTS.read("", Optional.of(LEASE), NOW).orElseThrow();
    assertEquals(Optional.of(LEASE), newer.ttl());
    assertTrue(ValueForm.YII2.read("soon", Optional.empty(), NOW).isPresent());
    assertFalse(
        ValueForm.YII2.read("1700000000", Optional.empty(), NOW.plusSeconds(1)).isPresent());
  }

  @Test
  @DisplayName("the view on a server reads what it writes, and an expired value is no lock")
  void view() {
    try (RedisServer server = RedisServers.start();
        ServerView view =
            RedisBackend.of("any")
                .with(ValueForm.EXPIRY_AND_TOKEN)
                .view(server.uri())
                .orElseThrow()) {
      view.put("a", "kit:stranger", Duration.ofSeconds(30));
      Entry held = view.look("a").orElseThrow();
      assertTrue(held.value().endsWith(":kit:stranger"), held::value);
      Duration left = held.ttl().orElseThrow();
      assertTrue(left.compareTo(Duration.ofSeconds(30)) <= 0, left::toString);
      assertTrue(left.compareTo(Duration.ofSeconds(20)) >= 0, left::toString);
      view.put("b", "kit:late", Duration.ofMillis(-1));
      assertEquals(Optional.empty(), view.look("b"));
      view.remove("a");
      assertEquals(Optional.empty(), view.look("a"));
    }
  }
}
