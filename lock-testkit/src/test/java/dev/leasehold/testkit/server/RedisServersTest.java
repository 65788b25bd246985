package dev.leasehold.testkit.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.testkit.server.RedisServer.Capability;
import dev.leasehold.testkit.server.RedisServer.Data;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A server that a test starts")
class RedisServersTest {

  private static void need(Capability capability) {
    assumeTrue(
        RedisServers.capabilities().contains(capability),
        () -> "not run: " + RedisServers.kind() + " offers no " + capability);
  }

  @Test
  @DisplayName("answers, and is gone with its files when it is closed")
  void startsAnswersAndLeavesNothing() {
    RedisServer server = RedisServers.start();
    assertEquals(Optional.of("OK"), server.call("SET", "a", "ü\r\n"));
    assertEquals(Optional.of("ü\r\n"), server.call("GET", "a"));
    assertEquals(Optional.empty(), server.call("GET", "b"));
    RespConnection.ServerError error =
        assertThrows(RespConnection.ServerError.class, () -> server.call("NO-SUCH-COMMAND"));
    assertEquals("ERR", error.code());
    assertTrue(server.version().matches("(Redis|Valkey) \\d+\\.\\d+.*"), server.version());
    if (server.pid().isPresent()) {
      long pid = server.pid().getAsLong();
      Path folder = Path.of(directoryOf(server));
      assertTrue(Files.isDirectory(folder));
      server.close();
      assertFalse(ProcessHandle.of(pid).isPresent(), "process " + pid + " is still there");
      assertFalse(Files.exists(folder), folder + " is still there");
      assertTrue(server.log().contains("eady to accept connections"), server.log());
      assertThrows(UncheckedIOException.class, () -> server.call("PING"));
    }
    server.close();
  }

  private static String directoryOf(RedisServer server) {
    return (String) ((List<?>) server.call("CONFIG", "GET", "dir").orElseThrow()).get(1);
  }

  @Test
  @DisplayName("keeps its data over kill -9 if asked to, and starts empty if asked to")
  void aRestartKeepsOrLosesTheData() {
    need(Capability.RESTART);
    try (RedisServer server = RedisServers.start(ServerOptions.defaults().withAppendOnlyFile())) {
      int port = server.port();
      server.call("SET", "a", "1");
      server.kill();
      assertThrows(UncheckedIOException.class, () -> server.call("PING"));
      server.restart(Data.KEEP);
      assertEquals(Optional.of("1"), server.call("GET", "a"));
      server.restart(Data.LOSE);
      assertEquals(Optional.empty(), server.call("GET", "a"));
      assertEquals(port, server.port());
    }
  }

  @Test
  @DisplayName("does not promise to keep what it did not have to write")
  void noDataToKeep() {
    need(Capability.RESTART);
    try (RedisServer server = RedisServers.start()) {
      assertThrows(IllegalStateException.class, () -> server.restart(Data.KEEP));
    }
  }

  @Test
  @DisplayName("is silent while paused, and answers when resumed")
  void aPausedServerAnswersWhenItGoesOn() {
    need(Capability.PAUSE);
    try (RedisServer server = RedisServers.start();
        RespConnection impatient = server.connect(Duration.ofMillis(200))) {
      server.pause();
      assertThrows(UncheckedIOException.class, () -> impatient.call("PING"));
      server.resume();
      assertEquals(Optional.of("PONG"), server.call("PING"));
      server.pause();
      server.kill();
      assertTrue(server.pid().isEmpty());
    }
  }

  @Test
  @DisplayName("takes arguments, users, a password and a Unix socket")
  void options() {
    need(Capability.UNIX_SOCKET);
    ServerOptions options =
        ServerOptions.defaults()
            .with("--maxmemory-policy", "allkeys-lru")
            .withUser("app", "secret", "~lh:*", "&lh:*", "-@all", "+get", "+auth")
            .withPassword("pass word\"\\")
            .withUnixSocket();
    try (RedisServer server = RedisServers.start(options)) {
      assertEquals(
          List.of("maxmemory-policy", "allkeys-lru"),
          server.call("CONFIG", "GET", "maxmemory-policy").orElseThrow());
      assertTrue(Files.exists(server.unixSocket().orElseThrow()));
      try (RespConnection stranger =
          RespConnection.to(server.host(), server.port(), Duration.ofSeconds(5))) {
        RespConnection.ServerError noAuth =
            assertThrows(RespConnection.ServerError.class, () -> stranger.call("PING"));
        assertEquals("NOAUTH", noAuth.code());
        stranger.call("AUTH", "app", "secret");
        assertEquals(Optional.empty(), stranger.call("GET", "lh:{a}"));
        RespConnection.ServerError noPerm =
            assertThrows(RespConnection.ServerError.class, () -> stranger.call("GET", "a"));
        assertEquals("NOPERM", noPerm.code());
      }
    }
  }

  @Test
  @DisplayName("has its Unix socket at a short path, however long that of its folder is")
  void shortSocket() {
    Path folder = Path.of("/" + "deep/".repeat(30));
    Path socket = ServerConfig.socket(folder);
    assertFalse(socket.startsWith(folder));
    assertTrue(socket.toString().length() < 104, socket.toString());
    assertTrue(Files.isDirectory(socket.getParent()));
    assertEquals(Path.of("/tmp/a/server.sock"), ServerConfig.socket(Path.of("/tmp/a")));
  }

  @Test
  @DisplayName("speaks TLS with its own certificate, which a client can trust")
  void tls() {
    need(Capability.TLS);
    ServerOptions options = ServerOptions.defaults().withTls(TlsFiles.create());
    try (RedisServer server = RedisServers.start(options)) {
      assertEquals("rediss://127.0.0.1:" + server.port(), server.uri());
      assertEquals(Optional.of("PONG"), server.call("PING"));
      try (RespConnection plain =
          RespConnection.to(server.host(), server.port(), Duration.ofSeconds(2))) {
        assertThrows(RuntimeException.class, () -> plain.call("PING"));
      }
    }
  }

  @Test
  @DisplayName("answers to many commands at once, to inline ones, and with arrays in arrays")
  void respConnection() {
    try (RedisServer server = RedisServers.start();
        RespConnection connection = server.connect()) {
      connection.sendRaw("SET a 1\r\nINCR a\r\nGET b\r\n".getBytes(StandardCharsets.US_ASCII));
      assertEquals(Optional.of("OK"), connection.read());
      assertEquals(Optional.of(2L), connection.read());
      assertEquals(Optional.empty(), connection.read());
      String script = "return {1, {'a', false}, redis.error_reply('MINE too')}";
      List<?> reply = connection.list("EVAL", script, "0");
      assertEquals(1L, reply.get(0));
      assertEquals(Arrays.asList("a", null), reply.get(1));
      assertEquals("MINE", ((RespConnection.ServerError) reply.get(2)).code());
      String large = "x".repeat(3_000_000);
      connection.call("SET", "large", large);
      assertEquals(large, connection.text("GET", "large"));
    }
  }

  @Test
  @DisplayName("can be one that runs already, which is then left alone")
  void remote() {
    try (RedisServer server = RedisServers.start()) {
      try (RedisServer same = RedisServers.start(server.uri(), ServerOptions.defaults())) {
        assertEquals(Set.of(), same.capabilities());
        same.call("SET", "a", "1");
        assertEquals(server.version(), same.version());
        assertThrows(UnsupportedOperationException.class, same::kill);
        assertThrows(
            UnsupportedOperationException.class,
            () -> RedisServers.start(server.uri(), ServerOptions.defaults().withAppendOnlyFile()));
      }
      assertEquals(Optional.of("1"), server.call("GET", "a"));
    }
  }

  @Test
  @DisplayName("that can't be started reports why, and what to do")
  void whatCannotBeStartedSaysWhatToDo() {
    ServerException unknown =
        assertThrows(
            ServerException.class,
            () -> RedisServers.start("no/such/program", ServerOptions.defaults()));
    assertTrue(unknown.getMessage().contains("leasehold.server=no/such/program"));
    assertTrue(unknown.getMessage().contains("testcontainers"));
    ServerException notExecutable =
        assertThrows(
            ServerException.class,
            () -> RedisServers.start("/no/such/program", ServerOptions.defaults()));
    assertTrue(notExecutable.getMessage().contains("/no/such/program"));
    ServerException badArgument =
        assertThrows(
            ServerException.class,
            () -> RedisServers.start(ServerOptions.defaults().with("--no-such-option", "1")));
    if (RedisServers.capabilities().contains(Capability.TOPOLOGY)) {
      // It is in the log; a container's is gone with it.
      assertTrue(badArgument.getMessage().contains("no-such-option"), badArgument.getMessage());
    }
  }
}
