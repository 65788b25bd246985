package dev.leasehold.testkit.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.server.RedisServer.Data;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RedisServersTest {
  @Test
  void startsAnswersAndLeavesNothing() {
    RedisServer server = RedisServers.start();
    assertEquals(Optional.of("OK"), server.call("SET", "a", "ü\r\n"));
    assertEquals(Optional.of("ü\r\n"), server.call("GET", "a"));
    assertEquals(Optional.empty(), server.call("GET", "b"));
    assertThrows(RespConnection.ServerError.class, () -> server.call("NO-SUCH-COMMAND"));
    assertTrue(server.version().matches("(Redis|Valkey) \\d+\\.\\d+.*"), server.version());
    server.close();
    assertThrows(UncheckedIOException.class, () -> server.call("PING"));
  }

  @Test
  void aRestartKeepsOrLosesTheData() {
    try (RedisServer server = RedisServers.start(ServerOptions.defaults().withAppendOnlyFile())) {
      server.call("SET", "a", "1");
      server.restart(Data.KEEP);
      assertEquals(Optional.of("1"), server.call("GET", "a"));
      server.restart(Data.LOSE);
      assertEquals(Optional.empty(), server.call("GET", "a"));
    }
  }

  @Test
  void aPausedServerAnswersWhenItGoesOn() {
    try (RedisServer server = RedisServers.start();
        RespConnection impatient =
            RespConnection.to(server.host(), server.port(), Duration.ofMillis(200))) {
      server.pause();
      assertThrows(UncheckedIOException.class, () -> impatient.call("PING"));
      server.resume();
      assertEquals(Optional.of("PONG"), server.call("PING"));
    }
  }

  @Test
  void whatCannotBeStartedSaysWhatToDo() {
    String message =
        assertThrows(
                IllegalStateException.class,
                () -> RedisServers.start("no/such/program", ServerOptions.defaults()))
            .getMessage();
    assertTrue(message.contains("leasehold.server=no/such/program"), message);
  }
}
