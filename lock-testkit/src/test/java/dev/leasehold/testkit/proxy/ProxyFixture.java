package dev.leasehold.testkit.proxy;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.RespConnection;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** A proxy in front of a server, for each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ProxyFixture {
  static final Duration SHORT = Duration.ofMillis(150);
  static final Duration LONG = Duration.ofSeconds(10);
  static final CommandMatch INCR = CommandMatch.named("incr");

  RedisServer server;
  RespProxy proxy;

  @BeforeAll
  void startServer() {
    server = RedisServers.start();
  }

  @AfterAll
  void stopServer() {
    server.close();
  }

  @BeforeEach
  void startProxy() {
    server.call("DEL", "n");
    proxy = RespProxy.inFrontOf(server);
  }

  @AfterEach
  void stopProxy() {
    proxy.close();
  }

  final RespConnection connect() {
    return RespConnection.to(proxy.host(), proxy.port(), LONG);
  }

  final RespConnection impatient() {
    return RespConnection.to(proxy.host(), proxy.port(), SHORT);
  }

  final Optional<Object> n() {
    return server.call("GET", "n");
  }

  static void assertSilent(RespConnection connection, String... command) {
    UncheckedIOException e =
        assertThrows(UncheckedIOException.class, () -> connection.call(command));
    assertTrue(e.getCause() instanceof SocketTimeoutException, () -> e.toString());
  }

  static void assertCut(RespConnection connection, String... command) {
    UncheckedIOException e =
        assertThrows(UncheckedIOException.class, () -> connection.call(command));
    assertTrue(!(e.getCause() instanceof SocketTimeoutException), () -> e.toString());
  }
}
