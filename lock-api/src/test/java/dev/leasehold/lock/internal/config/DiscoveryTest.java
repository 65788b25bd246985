package dev.leasehold.lock.internal.config;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.Renewal;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.internal.MapStore;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
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
  void aStandInTakesPartOnlyWhereItIsNamed() {
    LockBackend standIn =
        new LockBackend() {
          @Override
          public String id() {
            return "memory";
          }

          @Override
          public boolean isStandIn() {
            return true;
          }

          @Override
          public List<Setting<?>> settings() {
            return List.of();
          }

          @Override
          public LeaseStore open(LockSettings settings) {
            return new MapStore(Ticker.system());
          }
        };
    assertEquals(INNER, Discovery.choose(List.of(INNER, standIn), NONE));
    String alone = refusal(List.of(standIn), NONE);
    assertTrue(alone.contains("lock.backend = memory"), alone);
    String several = refusal(List.of(INNER, OTHER, standIn), NONE);
    assertTrue(several.contains("inner, other, memory"), several);
    // The settings of what it stands in for may stay as they are.
    LockSettings named = LockSettings.of(Map.of("lock.backend", "memory", "lock.fake.size", "4"));
    assertEquals(standIn, new Discovery(named).checked(List.of(INNER, standIn)));
    LockSettings typo = LockSettings.of(Map.of("lock.backend", "memory", "lock.fake.sise", "4"));
    assertThrows(
        LockConfigurationException.class,
        () -> new Discovery(typo).checked(List.of(INNER, standIn)));
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
    assertTrue(message.contains("lock.laese (a map) is not a known setting"), message);
  }

  @Test
  void aWrongBackendIsToldWithAllElseThatIsWrong() {
    LockSettings wrong =
        LockSettings.of(
            Map.of("lock.backend", "inner-typo", "lock.lease", "soon", "lock.fake.size", "5"));
    String message =
        assertThrows(
                LockConfigurationException.class,
                () -> new Discovery(wrong).checked(List.of(INNER, OTHER)))
            .getMessage();
    assertEquals(2, message.lines().count(), message);
    assertTrue(message.contains("'inner-typo'") && message.contains("lock.lease"), message);
    LockSettings right = LockSettings.of(Map.of("lock.backend", "other", "lock.fake.size", "5"));
    assertEquals(OTHER, new Discovery(right).checked(List.of(INNER, OTHER)));
  }

  @Test
  void aTypoIsToldWithWhatWasMeant() {
    List<String> known = List.of("lock.lease", "lock.redis.uri", "lock.redis.username");
    assertEquals(Optional.of("lock.lease"), DidYouMean.to("lock.laese", known));
    assertEquals(Optional.of("lock.redis.uri"), DidYouMean.to("lock.redis.url", known));
    assertEquals(Optional.of("lock.redis.username"), DidYouMean.to("lock.redis.user-name", known));
    assertEquals(Optional.empty(), DidYouMean.to("lock.something.else", known));
    assertEquals(3, DidYouMean.distance("kitten", "sitting"));
  }

  @Test
  void aDurationNeedsAUnitThatThereIs() {
    Setting<Duration> lease = Setting.duration("lock.x", ofSeconds(1), ZERO, ofDays(9), "X.");
    assertEquals(ofSeconds(30), lease.parse("30s", "here"));
    assertEquals(ofSeconds(30), lease.parse("30 seconds", "here"));
    assertEquals(ofSeconds(30), lease.parse("PT30S", "here"));
    assertEquals(Duration.ofMinutes(1), lease.parse("1 minute", "here"));
    for (String wrong : List.of("30", "30 parsecs", "30us", "-1s", "1.5s", "", "s")) {
      String message =
          assertThrows(LockConfigurationException.class, () -> lease.parse(wrong, "here"))
              .getMessage();
      assertTrue(message.startsWith("lock.x = '" + wrong + "' (here) is invalid"), message);
    }
    assertTrue(refusal(lease, "30").contains("the unit is missing"));
    assertTrue(refusal(lease, "30us").contains("'us' is no unit: allowed are ms, s, m, h and d"));
  }

  private static String refusal(Setting<?> setting, String text) {
    return String.valueOf(
        assertThrows(LockConfigurationException.class, () -> setting.parse(text, "here"))
            .getMessage());
  }

  @Test
  void optionsAreReadFromSettings() {
    LockSettings settings =
        LockSettings.of(
            Map.of(
                "lock.lease", "5s",
                "lock.renewal", "fixed",
                "lock.wait.longest", "10ms",
                "lock.poll.longest", "5ms"));
    LockOptions options = LockOptions.from(settings);
    assertEquals(ofSeconds(5), options.lease());
    assertEquals(Renewal.FIXED, options.renewal());
    WaitStrategy waits = options.waitStrategy();
    assertEquals(Duration.ofMillis(10), waits.longest());
    assertEquals(Duration.ofMillis(5), waits.longestPoll());
    assertEquals(Duration.ofMillis(5), waits.shortestPoll(), "no longer than the longest");
    assertEquals(
        LockOptions.defaults().toString(), LockOptions.from(NONE).toString(), "defaults are one");
    settings.check(LockOptions.settings());
  }

  @Test
  void pausesThatContradictEachOtherAreRefused() {
    LockSettings settings =
        LockSettings.of(Map.of("lock.poll.shortest", "1m", "lock.poll.longest", "30s"));
    String message = "lock.poll.shortest = 1m (a map) is longer than lock.poll.longest = 30s";
    assertEquals(
        message,
        assertThrows(LockConfigurationException.class, () -> LockOptions.from(settings))
            .getMessage());
    assertEquals(
        message,
        assertThrows(
                LockConfigurationException.class,
                () -> new Discovery(settings).checked(List.of(INNER)))
            .getMessage());
  }

  @Test
  void propertiesAreReadWithTheirDefaultsAndCopied() {
    Properties defaults = new Properties();
    defaults.setProperty("lock.lease", "5s");
    defaults.setProperty("lock.renewal", "automatic");
    Properties properties = new Properties(defaults);
    properties.setProperty("lock.renewal", "fixed");
    properties.setProperty("lock.wait.longest", "soon");
    LockSettings settings = LockSettings.of(properties);
    properties.setProperty("lock.lease", "7s");
    assertEquals(Set.of("lock.lease", "lock.renewal", "lock.wait.longest"), settings.keys());
    assertEquals(ofSeconds(5), settings.get(EngineSettings.LEASE), "of the defaults, as they were");
    assertEquals("fixed", settings.get(EngineSettings.RENEWAL), "rather than the default");
    assertEquals(
        EngineSettings.POLL_SHORTEST.defaultValue(), settings.find(EngineSettings.POLL_SHORTEST));
    String message =
        assertThrows(LockConfigurationException.class, () -> settings.check(LockOptions.settings()))
            .getMessage();
    assertTrue(message.startsWith("lock.wait.longest = 'soon' (properties) is invalid"), message);
  }

  @Test
  void anEnvironmentVariableIsNamedAsTheOrigin() {
    LockSettings settings = LockSettings.ofEnvironment(Map.of("LOCK_LEASE", "soon"));
    assertEquals("the environment variable LOCK_LEASE", settings.origin("lock.lease"));
    String message =
        assertThrows(LockConfigurationException.class, () -> settings.check(LockSettings.known()))
            .getMessage();
    assertTrue(message.contains("(the environment variable LOCK_LEASE)"), message);
    LockSettings typo = LockSettings.ofEnvironment(Map.of("LOCK_LAESE", "3s"));
    assertTrue(
        assertThrows(LockConfigurationException.class, () -> typo.check(LockSettings.known()))
            .getMessage()
            .contains("(the environment variable LOCK_LAESE) is not a known setting"));
  }

  @Test
  void environmentVariablesStandForKnownKeys() {
    List<Setting<?>> known = INNER.settings();
    LockSettings fromEnvironment =
        LockSettings.ofEnvironment(Map.of("LOCK_FAKE_SIZE", "5", "PATH", "x"), known);
    assertEquals(Set.of("lock.fake.size"), fromEnvironment.keys());
    fromEnvironment.check(known);
  }

  /** Ignored, they would leave the defaults in force: another server's locks. */
  @Test
  void environmentVariablesReadAsSettingsAreRefused() {
    LockSettings settings = LockSettings.of(Map.of("LOCK_LEASE", "3s", "PATH", "x"));
    assertEquals(
        "LOCK_LEASE (a map) is the environment variable of lock.lease, which"
            + " LockSettings.ofEnvironment reads",
        assertThrows(LockConfigurationException.class, () -> settings.check(LockSettings.known()))
            .getMessage());
  }

  @Test
  void defaultsOfSettingsAreWithinTheirRanges() {
    EngineSettings.all().forEach(Setting::defaultValue);
    assertTrue(EngineSettings.all().stream().allMatch(s -> !s.meaning().isBlank()));
  }

  @Test
  void settingsOfAShippedBackendThatIsNotInUseAreLeftAlone() {
    List<Setting<?>> known = List.copyOf(EngineSettings.all());
    LockSettings.of(Map.of("lock.redlock.nodes", "a,b,c", "lock.redis.uri", "redis://a"))
        .check(known);
    for (String key : List.of("lock.redlok.nodes", "lock.redis", "lock.mine.nodes")) {
      LockSettings wrong = LockSettings.of(Map.of(key, "a"));
      assertThrows(LockConfigurationException.class, () -> wrong.check(known), key);
    }
  }
}
