package dev.leasehold.examples.messages;

import static dev.leasehold.examples.messages.Secrets.HALF;
import static dev.leasehold.examples.messages.Secrets.OTHER_HALF;
import static dev.leasehold.examples.messages.Secrets.RIGHT;
import static dev.leasehold.examples.messages.Secrets.USER;
import static dev.leasehold.examples.messages.Secrets.WRONG;
import static dev.leasehold.examples.messages.Secrets.passwords;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import dev.leasehold.examples.NewNodes;
import dev.leasehold.guice.ConfigSettings;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Heard;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A password is in no message, cause, log, text or event, however it was written")
class PasswordsTest {
  private static ServerGroup servers;
  private Heard heard;

  @BeforeAll
  static void start() {
    servers = NewNodes.three();
  }

  @AfterAll
  static void stop() {
    if (servers != null) {
      servers.close();
    }
  }

  @BeforeEach
  void listen() {
    heard = new Heard();
  }

  @AfterEach
  void stopListening() {
    heard.close();
  }

  private void open(Map<String, String> map) {
    LockSettings settings = LockSettings.of(map);
    heard.text(settings);
    try (LockManager manager =
        LockManager.opener(settings).engine(engine -> engine.listener(heard)).open()) {
      heard.text(manager);
    } catch (RuntimeException e) {
      heard.thrown(e);
      assertInstanceOf(LockException.class, e);
    }
  }

  /** Checks everything heard so far in the test: called once for several similar cases. */
  private void assertNothingHeard(String how) {
    Secrets.assertNothingIn(heard, how);
  }

  @ParameterizedTest
  @EnumSource(BackendModes.class)
  @DisplayName("where the address is wrong")
  void wrongAddress(BackendModes kind) {
    for (String form : WRONG) {
      passwords().forEach(password -> openWith(kind, form.replace("P", password)));
      assertNothingHeard(form);
    }
    assertTrue(heard.all().contains("lock.redis.uri = 'redis://***@127.0.0.1:x'"));
  }

  @ParameterizedTest
  @EnumSource(BackendModes.class)
  @DisplayName("without a server")
  void unreachable(BackendModes kind) {
    for (String form : RIGHT) {
      openWith(kind, form.replace("P", HALF + "#" + OTHER_HALF));
      assertNothingHeard(form);
    }
    openWith(kind, "redis-socket://app:" + HALF + OTHER_HALF + "@/nowhere.sock");
    assertNothingHeard("redis-socket");
    assertTrue(heard.all().contains("127.0.0.1:1"), "what may be reported is reported");
  }

  private void openWith(BackendModes kind, String uri) {
    Map<String, String> settings =
        kind.settings(List.of(uri, "redis://127.0.0.1:1/1", "redis://127.0.0.1:1/2"));
    settings.put("lock.redis.connect-timeout", "200ms");
    open(settings);
  }

  @ParameterizedTest
  @EnumSource(BackendModes.class)
  @DisplayName("where a % begins no escape; and the error names the key and says so")
  void lonePercent(BackendModes kind) {
    for (String sign : List.of("%", "%z", "%2", "%ff")) {
      String uri = "redis://app:" + HALF + sign + OTHER_HALF + "@127.0.0.1:1";
      LockSettings settings =
          LockSettings.of(
              kind.settings(List.of(uri, "redis://127.0.0.1:1/1", "redis://127.0.0.1:1/2")));
      LockConfigurationException e =
          assertThrows(LockConfigurationException.class, () -> LockManager.open(settings));
      heard.thrown(e);
      assertTrue(
          e.getMessage().contains("lock.redis.uri = 'redis://***@127.0.0.1:1'"), e::toString);
      assertTrue(e.getMessage().contains("escape"), e::toString);
      assertNothingHeard(uri);
    }
  }

  @ParameterizedTest
  @EnumSource(value = BackendModes.class, names = "REDLOCK.*", mode = EnumSource.Mode.MATCH_ALL)
  @DisplayName("where a quorum has too few nodes, one twice, or an empty one")
  void wrongNodes(BackendModes kind) {
    passwords()
        .forEach(
            password -> {
              String one = "redis://app:" + password + "@127.0.0.1:1";
              String two = "rediss://app:" + password + "@127.0.0.1:1";
              for (List<String> nodes :
                  List.of(
                      List.of(one),
                      List.of(one, two),
                      List.of(one, one, two),
                      List.of(one, "", two, "redis://127.0.0.1:2"),
                      List.of(one, two, "app:" + password + "@127.0.0.1:1"))) {
                open(kind.settings(nodes));
              }
              assertNothingHeard(password);
            });
  }

  @ParameterizedTest
  @EnumSource(BackendModes.class)
  @DisplayName("valid ones may contain any character, encoded or not; and invalid ones")
  void rightAndRefused(BackendModes kind) {
    Stream.concat(passwords(), Stream.of(HALF + "%" + OTHER_HALF))
        .forEach(
            password -> {
              servers.servers().forEach(server -> permit(server, password));
              String encoded = password.replace("%", "%25");
              lock(kind, addresses(USER + ":" + encoded));
              assertNothingHeard(password);
            });
    String all = HALF + "/#?@:%,&" + OTHER_HALF;
    servers.servers().forEach(server -> permit(server, all));
    String encoded = URLEncoder.encode(all, StandardCharsets.UTF_8);
    lock(kind, addresses(USER + ":" + encoded));
    String wrong = heard.all();
    open(kind.settings(addresses(USER + ":" + encoded + "x")));
    assertTrue(heard.all().substring(wrong.length()).contains("WRONGPASS"));
    assertNothingHeard(all);
  }

  private static void permit(RedisServer server, String password) {
    server.call("ACL", "SETUSER", USER, "reset", "on", ">" + password, "~*", "&*", "+@all");
  }

  private static List<String> addresses(String login) {
    return servers.servers().stream()
        .map(server -> "redis://" + login + "@" + server.host() + ":" + server.port())
        .toList();
  }

  private void lock(BackendModes kind, List<String> uris) {
    LockSettings settings = LockSettings.of(kind.settings(uris));
    try (LockManager manager =
        LockManager.opener(settings).engine(engine -> engine.listener(heard)).open()) {
      DistributedLock lock = manager.lock("x");
      try (Lease lease = lock.tryAcquire().orElseThrow()) {
        List.of(settings, manager, lock, lease, lock.inspect(), lock.asLock()).forEach(heard::text);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(BackendModes.class)
  @DisplayName("as a setting of its own, beside other errors")
  void besideOthers(BackendModes kind) {
    String password = HALF + OTHER_HALF;
    List<String> uris =
        List.of("redis://127.0.0.1:1", "redis://127.0.0.1:2", "redis://127.0.0.1:3");
    for (Map<String, String> more :
        List.of(
            Map.of("lock.redis.password", password),
            Map.of("lock.redis.password", password, "lock.redis.username", USER),
            Map.of("lock.redis.password", password, "lock.lease", "never"),
            Map.of("lock.redis.pasword", password),
            Map.of("lock.redis.password", password, "lock.redis.database", "x"),
            Map.of("lock.redis.password", password, "lock.redis.cluster", "true"))) {
      Map<String, String> settings = kind.settings(uris);
      settings.put("lock.redis.connect-timeout", "200ms");
      settings.putAll(more);
      open(settings);
      assertNothingHeard(more.keySet().toString());
    }
  }

  @Test
  @DisplayName("where Redisson's own file can't be read")
  void redissonFile(@TempDir Path folder) throws IOException {
    String password = HALF + OTHER_HALF;
    for (String text :
        List.of(
            "password: \"" + password + "\n",
            "singleServerConfig:\n  address: \"redis://127.0.0.1:1\"\n password: " + password,
            "password: " + password + "\nsingleServerConfig: [\n",
            "pasword: " + password + "\n",
            "password: [" + password + "]\n",
            "singleServerConfig:\n  address: \"127.0.0.1:1\"\npassword: " + password + "\n",
            "singleServerConfig:\n  address: \"redis://a:" + password + "@127.0.0.1:1\"\n",
            "singleServerConfig:\n  address: \"redis:/a:" + password + "@127.0.0.1:1\"\n",
            "singleServerConfig:\n  retryAttempts: " + password + "\n")) {
      Path file = Files.writeString(folder.resolve("redisson.yaml"), text);
      open(Map.of("lock.backend", "redisson", "lock.redisson.config", file.toString()));
      assertNothingHeard(text);
    }
    assertTrue(heard.all().contains("redisson.yaml"), "the file is named");
  }

  @Test
  @DisplayName("Settings do not show values, whatever their origin")
  void settings() {
    String password = HALF + OTHER_HALF;
    Properties properties = new Properties();
    properties.setProperty("lock.redis.password", password);
    for (LockSettings settings :
        List.of(
            LockSettings.of(Map.of("lock.redis.password", password)),
            LockSettings.of(properties),
            LockSettings.ofEnvironment(Map.of("LOCK_REDIS_PASSWORD", password)),
            ConfigSettings.of(ConfigFactory.parseString("lock.redis.password = " + password)))) {
      heard.text(settings);
      assertTrue(settings.toString().contains("lock.redis.password"), settings::toString);
      assertFalse(settings.text("lock.redis.password").isEmpty());
    }
    assertNothingHeard("toString()");
  }
}
