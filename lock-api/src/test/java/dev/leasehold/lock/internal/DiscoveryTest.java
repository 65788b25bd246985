package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.Ticker;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DiscoveryTest {
  private static final LockSettings NONE = LockSettings.of(Map.of());

  private record Fake(String id, Set<String> buildsOn) implements LockBackend {
    @Override
    public List<Setting<?>> settings() {
      return List.of(Setting.integer("lock.fake.size", 3, 1, 9, "How large."));
    }

    @Override
    public LeaseStore open(LockSettings settings) {
      return new MapStore(Ticker.system());
    }
  }

  private static final Fake INNER = new Fake("inner", Set.of());
  private static final Fake OUTER = new Fake("outer", Set.of("inner"));
  private static final Fake OTHER = new Fake("other", Set.of());

  private static String refusal(List<LockBackend> found, LockSettings settings) {
    return String.valueOf(
        assertThrows(LockConfigurationException.class, () -> Discovery.choose(found, settings))
            .getMessage());
  }

  @Test
  void withoutABackendTheErrorSaysWhichJarsToAdd() {
    String message =
        assertThrows(LockConfigurationException.class, () -> LockManager.open(NONE)).getMessage();
    assertTrue(message.contains("lock-redis-set") && message.contains("lock-redlock"), message);
  }

  @Test
  void oneWins() {
    assertEquals(INNER, Discovery.choose(List.of(INNER), NONE));
  }

  @Test
  void theOuterOneWinsOverWhatItBuildsOn() {
    assertEquals(OUTER, Discovery.choose(List.of(INNER, OUTER), NONE));
  }

  @Test
  void severalNeedASettingAndTheErrorListsThem() {
    String message = refusal(List.of(INNER, OTHER), NONE);
    assertTrue(message.contains("lock.backend") && message.contains("inner, other"), message);
    LockSettings named = LockSettings.of(Map.of("lock.backend", "other"));
    assertEquals(OTHER, Discovery.choose(List.of(INNER, OTHER), named));
  }

  @Test
  void aBackendThatIsNotThereIsNamedWithThoseThatAre() {
    String message = refusal(List.of(INNER), LockSettings.of(Map.of("lock.backend", "inner-typo")));
    assertTrue(message.contains("'inner-typo'") && message.contains("there are: inner"), message);
  }

  @Test
  void allProblemsAreReportedAtOnce() {
    LockSettings wrong =
        LockSettings.of(
            Map.of(
                "lock.fake.size", "12",
                "lock.lease", "soon",
                "lock.laese", "30s",
                "unrelated.key", "is none of ours"));
    List<Setting<?>> known = new java.util.ArrayList<>(EngineSettings.all());
    known.addAll(INNER.settings());
    String message =
        assertThrows(LockConfigurationException.class, () -> wrong.check(known)).getMessage();
    assertEquals(3, message.lines().count(), message);
    assertTrue(message.contains("lock.fake.size = '12' (a map)"), message);
    assertTrue(message.contains("whole number from 1 to 9"), message);
    assertTrue(message.contains("lock.lease = 'soon'"), message);
    assertTrue(message.contains("duration from 10ms to 365d"), message);
    assertTrue(message.contains("lock.laese (a map) is no setting"), message);
  }

  @Test
  void environmentVariablesStandForKnownKeys() {
    List<Setting<?>> known = INNER.settings();
    LockSettings fromEnvironment =
        LockSettings.ofEnvironment(Map.of("LOCK_FAKE_SIZE", "5", "PATH", "x"), known);
    assertEquals(Set.of("lock.fake.size"), fromEnvironment.keys());
    fromEnvironment.check(known);
  }

  @Test
  void defaultsOfSettingsAreWithinTheirRanges() {
    EngineSettings.all().forEach(Setting::defaultValue);
    assertTrue(EngineSettings.all().stream().allMatch(s -> !s.meaning().isBlank()));
  }
}
