package dev.leasehold.testkit.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.RespConnection;
import dev.leasehold.testkit.server.RespConnection.ServerError;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@DisplayName("The proxy")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RespProxyTest {
  private static final Duration SHORT = Duration.ofMillis(150);
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final CommandMatch INCR = CommandMatch.named("incr");

  private RedisServer server;
  private RespProxy proxy;

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

  private RespConnection connect() {
    return RespConnection.to(proxy.host(), proxy.port(), LONG);
  }

  private RespConnection impatient() {
    return RespConnection.to(proxy.host(), proxy.port(), SHORT);
  }

  private Optional<Object> n() {
    return server.call("GET", "n");
  }

  private static void assertSilent(RespConnection connection, String... command) {
    UncheckedIOException e =
        assertThrows(UncheckedIOException.class, () -> connection.call(command));
    assertTrue(e.getCause() instanceof SocketTimeoutException, () -> e.toString());
  }

  private static void assertCut(RespConnection connection, String... command) {
    UncheckedIOException e =
        assertThrows(UncheckedIOException.class, () -> connection.call(command));
    assertTrue(!(e.getCause() instanceof SocketTimeoutException), () -> e.toString());
  }

  @Nested
  @DisplayName("does to single commands:")
  class Faults {

    @Test
    @DisplayName("delays a request, which the server then sees late")
    void delayRequest() throws Exception {
      try (RespConnection client = connect();
          ActiveFault fault = proxy.next(1, INCR, CommandFault.delayRequest(SHORT))) {
        long start = System.nanoTime();
        client.send("INCR", "n");
        assertTrue(fault.awaitHits(1, LONG));
        assertEquals(Optional.empty(), n());
        assertEquals(Optional.of(1L), client.read());
        assertTrue(System.nanoTime() - start >= SHORT.toNanos());
        assertEquals(2L, client.number("INCR", "n"));
        assertEquals(1, fault.hits());
      }
    }

    @Test
    @DisplayName("delays a reply, with the command executed at once")
    void delayReply() {
      try (RespConnection client = connect();
          ActiveFault fault = proxy.every(INCR, CommandFault.delayReply(SHORT))) {
        long start = System.nanoTime();
        assertEquals(1L, client.number("INCR", "n"));
        assertTrue(System.nanoTime() - start >= SHORT.toNanos());
        assertEquals(1, fault.hits());
      }
    }

    @Test
    @DisplayName("holds a request until the fault is removed; other connections go on")
    void holdRequest() throws Exception {
      try (RespConnection client = connect();
          RespConnection other = connect()) {
        ActiveFault fault = proxy.next(1, INCR, CommandFault.holdRequest());
        client.send("INCR", "n");
        assertTrue(fault.awaitHits(1, LONG));
        assertEquals(1L, other.number("INCR", "n"));
        fault.close();
        assertEquals(Optional.of(2L), client.read());
      }
    }

    @Test
    @DisplayName("holds a reply until the fault is removed, and what follows behind it")
    void holdReply() {
      try (RespConnection client = connect()) {
        ActiveFault fault = proxy.next(1, INCR, CommandFault.holdReply());
        client.send("INCR", "n");
        client.send("INCR", "n");
        Await.until("it was executed", () -> n().equals(Optional.of("2")));
        CompletableFuture<Optional<Object>> first = CompletableFuture.supplyAsync(client::read);
        assertThrows(
            TimeoutException.class, () -> first.get(SHORT.toMillis(), TimeUnit.MILLISECONDS));
        fault.close();
        assertEquals(Optional.of(1L), first.join());
        assertEquals(Optional.of(2L), client.read());
      }
    }

    @Test
    @DisplayName("drops a request: not executed, silence from there on, cut at the end")
    void dropRequest() {
      try (RespConnection client = impatient();
          RespConnection other = connect()) {
        ActiveFault fault = proxy.next(1, INCR, CommandFault.dropRequest());
        assertSilent(client, "INCR", "n");
        assertSilent(client, "SET", "n", "10");
        assertEquals(1L, other.number("INCR", "n"));
        fault.close();
        assertCut(client, "PING");
      }
    }

    @Test
    @DisplayName("drops a reply: executed, silence from there on, cut at the end")
    void dropReply() {
      try (RespConnection client = impatient()) {
        ActiveFault fault = proxy.next(1, INCR, CommandFault.dropReply());
        assertSilent(client, "INCR", "n");
        assertEquals(Optional.of("1"), n());
        assertSilent(client, "INCR", "n");
        assertEquals(Optional.of("2"), n());
        fault.close();
        assertCut(client, "PING");
      }
    }

    @Test
    @DisplayName("cuts the connection before the command, which is not executed")
    void cutBefore() {
      try (RespConnection client = connect();
          ActiveFault fault = proxy.next(1, INCR, CommandFault.cutBefore())) {
        assertCut(client, "INCR", "n");
        assertEquals(Optional.empty(), n());
        assertEquals(1, fault.hits());
      }
    }

    @Test
    @DisplayName("cuts the connection after the command, which is executed")
    void cutAfter() {
      try (RespConnection client = connect();
          ActiveFault fault = proxy.next(1, INCR, CommandFault.cutAfter())) {
        assertCut(client, "INCR", "n");
        assertEquals(Optional.of("1"), n());
        assertEquals(1, fault.hits());
      }
      Await.until("all connections are closed", () -> proxy.connections() == 0);
    }

    @Test
    @DisplayName("answers with an error of its own, in its place among the replies")
    void refuse() {
      try (RespConnection client = connect()) {
        ActiveFault fault = proxy.every(INCR, CommandFault.refuse("OOM not allowed"));
        ServerError error = assertThrows(ServerError.class, () -> client.call("INCR", "n"));
        assertEquals("OOM not allowed", error.getMessage());
        ActiveFault slow =
            proxy.next(1, CommandMatch.named("ECHO"), CommandFault.delayReply(SHORT));
        client.send("ECHO", "a");
        client.send("INCR", "n");
        client.send("INCR", "n");
        client.send("ECHO", "b");
        assertEquals(Optional.of("a"), client.read());
        assertThrows(ServerError.class, client::read);
        assertThrows(ServerError.class, client::read);
        assertEquals(Optional.of("b"), client.read());
        assertEquals(Optional.empty(), n());
        assertEquals(3, fault.hits());
        slow.close();
        fault.close();
        assertEquals(1L, client.number("INCR", "n"));
      }
    }

    @Test
    @DisplayName("replaces the reply of an executed command by an error")
    void fail() {
      try (RespConnection client = connect()) {
        ActiveFault fault = proxy.next(1, INCR, CommandFault.fail("-LOADING soon"));
        ServerError error = assertThrows(ServerError.class, () -> client.call("INCR", "n"));
        assertEquals("LOADING", error.code());
        assertEquals(2L, client.number("INCR", "n"));
        fault.close();
      }
    }

    @Test
    @DisplayName("all that match apply, in order; none does after it is closed")
    void several() {
      try (RespConnection client = connect()) {
        ActiveFault slow = proxy.every(INCR, CommandFault.delayReply(SHORT));
        proxy.every(CommandMatch.containing("n").and(INCR), CommandFault.fail("ERR mine"));
        long start = System.nanoTime();
        assertThrows(ServerError.class, () -> client.call("INCR", "n"));
        assertTrue(System.nanoTime() - start >= SHORT.toNanos());
        assertEquals(1L, client.number("INCR", "other"));
        slow.close();
        proxy.clear();
        assertEquals(2L, client.number("INCR", "n"));
        server.call("DEL", "other");
      }
    }

    @Test
    @DisplayName("and refuses what makes no sense")
    void nonsense() {
      assertThrows(
          IllegalArgumentException.class, () -> proxy.next(0, INCR, CommandFault.cutAfter()));
      assertThrows(IllegalArgumentException.class, () -> CommandFault.refuse("two\r\nlines"));
      assertThrows(
          IllegalArgumentException.class, () -> CommandFault.delayReply(Duration.ofMillis(-1)));
    }
  }

  @Nested
  @DisplayName("does to everything:")
  class Everything {

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
    @DisplayName("loses all in a blackhole; who lost nothing goes on afterwards")
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
        assertThrows(UncheckedIOException.class, RespProxyTest.this::connect);
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

  @Test
  @DisplayName("counts and records the commands")
  void counts() {
    try (RespConnection client = connect()) {
      client.call("PING");
      Supplier<CommandCounts> count = proxy.counting();
      proxy.record(2);
      client.call("set", "n", "1");
      client.call("INCR", "n");
      client.call("INCR", "n");
      client.call("CLIENT", "SETNAME", "x");
      CommandCounts counts = count.get();
      assertEquals(Map.of("SET", 1L, "INCR", 2L, "CLIENT", 1L), counts.byName());
      assertEquals(4, counts.total());
      assertEquals(3, counts.withoutHousekeeping().total());
      assertEquals(2, counts.of("incr"));
      assertEquals(0, counts.of("PING"));
      assertEquals(
          List.of(
              new RespCommand("SET", List.of("n", "1"), 1),
              new RespCommand("INCR", List.of("n"), 1)),
          proxy.recorded().stream().map(RecordedCommand::command).toList());
      assertTrue(proxy.recorded().get(0).nanoTime() <= proxy.recorded().get(1).nanoTime());
    }
  }

  @Test
  @DisplayName("leaves neither threads nor connections")
  void leavesNothing() {
    for (int i = 0; i < 20; i++) {
      try (RespConnection client = connect()) {
        client.call("PING");
      }
    }
    Await.until("all connections are closed", () -> proxy.connections() == 0);
    RespConnection last = connect();
    last.call("PING");
    proxy.close();
    assertCut(last, "PING");
    last.close();
    String name = "resp-proxy-" + proxy.port();
    Await.until(
        "its threads end",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith(name)));
  }
}
