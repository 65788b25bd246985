package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.internal.calls.KnownBackends;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Error messages about Leasehold's own backends")
class KnownBackendsTest {
  private static final Path ENGINE = Path.of("src/main/java/dev/leasehold/lock/internal");
  private static final Pattern A_BACKEND_IN_A_TEXT =
      Pattern.compile("\"[^\"]*(redis|redlock|jedis|lettuce)[^\"]*\"", Pattern.CASE_INSENSITIVE);

  @ParameterizedTest
  @EnumSource(names = {"PERMITS", "SHARED", "LATCH", "MINIMUM_HOLD"})
  @DisplayName("Backends are named for each guarantee that a message may miss")
  void promising(Guarantee guarantee) {
    String text = KnownBackends.promising(guarantee);
    assertTrue(text.startsWith("redis-set, ") && text.equals(text.strip()), text);
  }

  @Test
  @DisplayName("The jars to choose from are in one line")
  void jars() {
    assertEquals(
        "dev.leasehold:lock-redis-set (SET NX PX on Lettuce, the one to begin with),"
            + " dev.leasehold:lock-redis-setnx (Jedis), dev.leasehold:lock-redlock (a quorum) or"
            + " dev.leasehold:lock-redisson-adapter (Redisson)",
        KnownBackends.jars());
    assertEquals("lock-redlock", KnownBackends.jarOfAQuorum());
  }

  @Test
  @DisplayName("The settings of an absent backend are known by their sections")
  void sections() {
    assertEquals(
        List.of(
            "lock.redis.",
            "lock.redis-set.",
            "lock.redis-setnx.",
            "lock.redlock.",
            "lock.redisson."),
        KnownBackends.sections());
    assertEquals("lock.redis.uri", KnownBackends.addressOfOneServer());
    assertEquals("lock.redlock.nodes", KnownBackends.addressesOfAQuorum());
  }

  @Test
  @DisplayName("No text in the engine's code names a backend or a client")
  void engine() throws IOException {
    try (Stream<Path> files = Files.walk(ENGINE)) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertTrue(sources.size() > 80, "the engine's sources are here");
      for (Path source : sources) {
        String text = Files.readString(source);
        List<String> found =
            A_BACKEND_IN_A_TEXT.matcher(text).results().map(result -> result.group()).toList();
        assertEquals(List.of(), found, source::toString);
      }
    }
  }
}
