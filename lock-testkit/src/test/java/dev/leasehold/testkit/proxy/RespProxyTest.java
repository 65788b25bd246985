package dev.leasehold.testkit.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RespConnection;
import dev.leasehold.testkit.server.RespConnection.ServerError;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The proxy")
class RespProxyTest extends ProxyFixture {
  @Nested
  @DisplayName("does to single commands:")
  class Faults {

    @Test
    @DisplayName("delays a request, which the server then sees late")
    void delayRequest() throws Exception {
      Duration delay = Duration.ofSeconds(2); // another connection asks meanwhile
      try (RespConnection client = connect();
          ActiveFault fault = proxy.next(1, INCR, CommandFault.delayRequest(delay))) {
        long start = System.nanoTime();
        client.send("INCR", "n");
        assertTrue(fault.awaitHits(1, LONG));
        assertEquals(Optional.empty(), n());
        assertEquals(Optional.of(1L), client.read());
        assertTrue(System.nanoTime() - start >= delay.toNanos());
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
    @DisplayName("holds a request until the fault is removed; other connections continue")
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
    @DisplayName("resets the client and holds its request, which still reaches the server")
    void strayRequest() throws Exception {
      try (RespConnection client = connect();
          RespConnection other = connect()) {
        assertEquals(1L, other.number("INCR", "n"));
        ActiveFault fault = proxy.next(1, INCR, CommandFault.strayRequest());
        client.send("INCR", "n");
        assertTrue(fault.awaitHits(1, LONG));
        assertThrows(UncheckedIOException.class, client::read);
        assertEquals(2L, other.number("INCR", "n"));
        fault.close();
        Await.until("it was executed", () -> n().equals(Optional.of("3")));
        Await.until("its connection has ended", () -> proxy.connections() == 1);
      }
    }

    @Test
    @DisplayName("holds a reply, and what follows it, until the fault is removed")
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
    @DisplayName("and refuses invalid values")
    void nonsense() {
      assertThrows(
          IllegalArgumentException.class, () -> proxy.next(0, INCR, CommandFault.cutAfter()));
      assertThrows(IllegalArgumentException.class, () -> CommandFault.refuse("two\r\nlines"));
      assertThrows(
          IllegalArgumentException.class, () -> CommandFault.delayReply(Duration.ofMillis(-1)));
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
