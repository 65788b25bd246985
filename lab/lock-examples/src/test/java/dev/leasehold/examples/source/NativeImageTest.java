package dev.leasehold.examples.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("GraalVM's native image knows what the code looks up at run time")
class NativeImageTest {
  private static final String ALL_OF_A_STAGE =
      "all methods of java.util.concurrent.CompletionStage";
  private static final String LETTUCE_HAS = "io.lettuce.core.MaintNotificationsConfig";

  /** Code that looks something up by name, or creates a class, at run time. */
  private static final Pattern LOOK_UP =
      Pattern.compile(
          "getResource(?:AsStream|s)?\\((?!\\))|ServiceLoader\\.load\\(|Proxy\\.newProxyInstance\\("
              + "|Class\\.forName\\(|getDeclared\\w+\\(|\\.invoke\\(|\\bgetMethods?\\(");

  /** All such code, by file, with the entries that its module's metadata must have for it. */
  private static final Map<String, List<String>> LOOK_UPS =
      Map.ofEntries(
          Map.entry(
              "lock-api/Discovery.java",
              List.of(
                  "META-INF/services/dev.leasehold.lock.LockListener",
                  "META-INF/services/dev.leasehold.lock.spi.LeaseRenewer")),
          Map.entry(
              "lock-api/KnownBackends.java",
              List.of("dev/leasehold/lock/internal/calls/backends.properties")),
          Map.entry(
              "lock-api/LossStage.java",
              List.of("proxy of java.util.concurrent.CompletionStage", ALL_OF_A_STAGE)),
          Map.entry("lock-admin/LuaCall.java", List.of()),
          Map.entry("lock-redis-common/Script.java", List.of()), // its files are resources of ours
          Map.entry("lock-redis-common/ClientVersion.java", List.of()), // of setnx' client: there
          Map.entry(
              "lock-redis-setnx/CallersConversation.java",
              List.of("all methods of redis.clients.jedis.Connection")),
          Map.entry(
              "lock-redis-setnx/UserClient.java",
              List.of(
                  "redis.clients.jedis.UnifiedJedis.provider",
                  "redis.clients.jedis.providers.SentineledConnectionProvider.pool")),
          Map.entry(
              "lock-redis-setnx/RedisSetnxLocks.java",
              List.of("META-INF/maven/redis.clients/jedis/pom.properties")),
          Map.entry("lock-redis-set/Clients.java", List.of(LETTUCE_HAS)),
          Map.entry("lock-redisson-adapter/RedissonScript.java", List.of()),
          Map.entry(
              "lock-redlock/RedlockBackend.java",
              List.of("META-INF/services/dev.leasehold.lock.spi.quorum.QuorumPolicy")));

  /**
   * Modules for the JVM only: a kit for tests, a command that is started as a jar, and frameworks
   * with their own native support.
   */
  private static final Set<String> NOT_NATIVE =
      Set.of("lock-testkit", "lock-cli", "lock-methods", "lock-guice", "lock-spring-boot-starter");

  /** Modules that contain look-ups at run time. */
  static List<String> modules() {
    Path lab = Repository.root().resolve("lab");
    return Repository.modules().stream()
        .filter(module -> !Repository.folder(module).startsWith(lab))
        .filter(module -> !Set.of("lock-testkit", "lock-cli").contains(module))
        .filter(module -> !module.contains("spring-boot"))
        .filter(module -> !shipped(module).isEmpty())
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("modules")
  @DisplayName("The file has the published schema's form, and all that its module ships")
  void complete(String module) throws IOException {
    NativeMetadata metadata = NativeMetadata.of(module);
    assertEquals(List.of(), metadata.faults());
    assertEquals(List.of(), missing(module, metadata));
  }

  @Test
  @DisplayName("Every lookup in the code is known, and its module's file covers it")
  void lookUps() throws IOException {
    Set<String> found = new TreeSet<>();
    Path lab = Repository.root().resolve("lab");
    for (String module : Repository.modules()) {
      if (NOT_NATIVE.contains(module) || Repository.folder(module).startsWith(lab)) {
        continue;
      }
      for (Path file : Repository.mainSources(module)) {
        if (LOOK_UP.matcher(code(Files.readString(file))).find()) {
          found.add(module + "/" + file.getFileName());
        }
      }
    }
    found.add("lock-redis-setnx/RedisSetnxLocks.java"); // by ClientVersion, of another module
    assertEquals(new TreeSet<>(LOOK_UPS.keySet()), found);
    for (Map.Entry<String, List<String>> each : LOOK_UPS.entrySet()) {
      String module = each.getKey().substring(0, each.getKey().indexOf('/'));
      assertTrue(NativeMetadata.of(module).entries().containsAll(each.getValue()), each::toString);
    }
  }

  @Test
  @DisplayName(
      "A script or a provider that it lacks is found, and so is a word that is none of its")
  void canFail() {
    NativeMetadata empty = NativeMetadata.parsed("{ \"resources\": [ { \"glob\": \"a*\" } ] }");
    List<String> missing = missing("lock-redisson-adapter", empty);
    assertTrue(missing.contains("dev/leasehold/redisson/take.lua"), missing::toString);
    assertTrue(missing.contains("dev.leasehold.redisson.RedissonBackend"), missing::toString);
    assertFalse(NativeMetadata.parsed("{ \"resource\": [] }").faults().isEmpty());
    assertFalse(
        NativeMetadata.parsed("{ \"resources\": [ { \"pattern\": \"a\" } ] }").faults().isEmpty());
    assertFalse(
        NativeMetadata.parsed("{ \"reflection\": [ { \"name\": \"a.B\" } ] }").faults().isEmpty());
  }

  private static List<String> missing(String module, NativeMetadata metadata) {
    List<String> files = shipped(module);
    Stream<String> providers =
        files.stream()
            .filter(file -> file.startsWith("META-INF/services/"))
            .flatMap(file -> lines(resources(module).resolve(file)))
            .filter(provider -> !metadata.makes(provider));
    return Stream.concat(files.stream().filter(file -> !metadata.hasResource(file)), providers)
        .toList();
  }

  /** A module's resources, except the metadata itself. */
  private static List<String> shipped(String module) {
    Path resources = resources(module);
    if (!Files.isDirectory(resources)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(resources)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> resources.relativize(file).toString().replace('\\', '/'))
          .filter(file -> !file.startsWith("META-INF/native-image/"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static Path resources(String module) {
    return Repository.folder(module).resolve("src/main/resources");
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream().map(String::strip).filter(line -> !line.isEmpty());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The source without comments. */
  private static String code(String source) {
    Matcher comments = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*").matcher(source);
    return comments.replaceAll("");
  }
}
