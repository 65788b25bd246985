package dev.leasehold.testkit.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.RespConnection;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The proxy does to everything:")
class RespProxyEverythingTest extends ProxyFixture {

  @Test
  @DisplayName("holds one direction, and lets it go")
  void hold() {
    try (RespConnection client = connect()) {
      ActiveFault requests = proxy.hold(Direction.REQUESTS);
      client.send("INCR", "n");
      Await.until("it has arrived", () -> proxy.counts().of("INCR") == 1);
      assertEquals(Optional.empty(), n());
      ActiveFault replies = proxy.hold(Direction.REPLIES);
      requests.close();
      Await.until("it was executed", () -> n().isPresent());
      CompletableFuture<Optional<Object>> reply = CompletableFuture.supplyAsync(client::read);
      assertThrows(
          TimeoutException.class, () -> reply.get(SHORT.toMillis(), TimeUnit.MILLISECONDS));
      replies.close();
      assertEquals(Optional.of(1L), reply.join());
    }
  }

  @Test
  @DisplayName("loses everything in a blackhole; a client that lost nothing continues afterwards")
  void blackhole() {
    try (RespConnection victim = impatient();
        RespConnection quiet = connect()) {
      quiet.call("PING");
      ActiveFault blackhole = proxy.blackhole();
      assertSilent(victim, "INCR", "n");
      try (RespConnection late = impatient()) {
        assertSilent(late, "INCR", "n");
      }
      blackhole.close();
      assertEquals(Optional.of("PONG"), quiet.call("PING"));
      assertCut(victim, "PING");
      assertEquals(Optional.empty(), n());
    }
  }

  @Test
  @DisplayName("refuses new connections, and takes them again at the same port")
  void refuse() {
    try (RespConnection old = connect()) {
      old.call("PING");
      ActiveFault refusal = proxy.refuse();
      assertThrows(UncheckedIOException.class, this::connect);
      assertEquals(Optional.of("PONG"), old.call("PING"));
      refusal.close();
      refusal.close();
      try (RespConnection again = connect()) {
        assertEquals(Optional.of("PONG"), again.call("PING"));
      }
    }
  }

  @Test
  @DisplayName("cuts all connections, and leads new ones elsewhere")
  void redirect() {
    try (RedisServer other = RedisServers.start();
        RespConnection client = connect()) {
      client.call("PING");
      other.call("SET", "n", "other's");
      proxy.cutAll();
      assertCut(client, "PING");
      proxy.redirect(other);
      try (RespConnection again = connect()) {
        assertEquals("other's", again.text("GET", "n"));
      }
      assertEquals(2, proxy.connectionsSoFar());
    }
  }

  @Test
  @DisplayName("ends a connection at once when there is no server")
  void noServer() {
    try (RedisServer gone = RedisServers.start();
        RespProxy toNowhere = RespProxy.inFrontOf(gone)) {
      gone.kill();
      try (RespConnection client = RespConnection.to(toNowhere.host(), toNowhere.port(), LONG)) {
        assertCut(client, "PING");
      }
    }
  }
}
