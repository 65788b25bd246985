package dev.leasehold.testkit.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Through the proxy, the protocol")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProtocolTest {
  private static final String ERROR = "-MINE\r\n";

  private RedisServer server;

  @BeforeAll
  void start() {
    server = RedisServers.start();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** A client that sees the bytes. */
  private static final class Raw implements AutoCloseable {
    private final Socket socket;
    private final RespReader reader;

    Raw(String host, int port) {
      try {
        socket = new Socket(host, port);
        socket.setSoTimeout(10_000);
        reader = new RespReader(socket.getInputStream(), () -> {});
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void send(String... commands) {
      try {
        String text = String.join("\r\n", commands) + "\r\n";
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    String read() {
      try {
        return new String(reader.reply().orElseThrow().bytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    List<String> read(int frames) {
      List<String> list = new ArrayList<>();
      for (int i = 0; i < frames; i++) {
        list.add(read());
      }
      return list;
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static String array(String... words) {
    StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      text.append("$" + word.length() + "\r\n" + word + "\r\n");
    }
    return text.toString();
  }

  private static String push(String... words) {
    return ">" + array(words).substring(1);
  }

  @ParameterizedTest(name = "RESP{0}")
  @ValueSource(ints = {2, 3})
  @DisplayName("is the server's, byte for byte, with all requests sent at once")
  void transparent(int version) throws IOException {
    String large = "x".repeat(200_000);
    List<String> commands =
        List.of(
            "DEL s h z l",
            array("SET", "s", large).stripTrailing(),
            "GET s",
            "GET nothing",
            "HSET h a 1 b 2",
            "HGETALL h",
            "ZADD z 1.5 a 2 b",
            "ZRANGE z 0 -1 WITHSCORES",
            "ZSCORE z a",
            "SADD l message",
            "SMEMBERS l",
            "",
            "MULTI",
            "INCR i",
            "NOSUCH",
            "EXEC",
            "MULTI",
            "LRANGE nolist 0 -1",
            "EXEC",
            "EVAL \"return {1,{2,{3,'four'}},false,redis.error_reply('E no')}\" 0",
            "EVAL \"redis.setresp(3) return redis.call('HGETALL','h')\" 0",
            "CONFIG GET save",
            "DEL i");
    try (RespProxy proxy = RespProxy.inFrontOf(server);
        Raw direct = new Raw(server.host(), server.port());
        Raw proxied = new Raw(proxy.host(), proxy.port())) {
      // The reply names the connection, which differs.
      List.of(direct, proxied).forEach(raw -> raw.send("HELLO " + version));
      direct.read();
      proxied.read();
      int replies = commands.size() - 1;
      server.call("FLUSHALL");
      direct.send(commands.toArray(String[]::new));
      List<String> expected = direct.read(replies);
      server.call("FLUSHALL");
      proxied.send(commands.toArray(String[]::new));
      List<String> actual = proxied.read(replies);
      // One at a time: the whole would be too long to read.
      for (int i = 0; i < replies; i++) {
        assertEquals(
            expected.get(i).replace(large, "large"), actual.get(i).replace(large, "large"));
      }
    }
  }

  @Test
  @DisplayName("pairs replies with requests around the messages of RESP2")
  void subscriptions2() {
    try (RespProxy proxy = RespProxy.inFrontOf(server);
        Raw client = new Raw(proxy.host(), proxy.port())) {
      proxy.every(CommandMatch.named("GET", "PING"), CommandFault.fail("MINE"));
      proxy.every(CommandMatch.named("UNSUBSCRIBE"), CommandFault.delayReply(Duration.ZERO));
      client.send("SUBSCRIBE a b", "PSUBSCRIBE p*", "PING");
      assertEquals(
          List.of(
              "*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n",
              "*3\r\n$9\r\nsubscribe\r\n$1\r\nb\r\n:2\r\n",
              "*3\r\n$10\r\npsubscribe\r\n$2\r\np*\r\n:3\r\n",
              ERROR),
          client.read(4));
      server.call("PUBLISH", "a", "m1");
      server.call("PUBLISH", "pp", "m2");
      assertEquals(array("message", "a", "m1"), client.read());
      assertEquals(array("pmessage", "p*", "pp", "m2"), client.read());
      client.send("UNSUBSCRIBE", "PUNSUBSCRIBE", "UNSUBSCRIBE", "GET none", "RPUSH q message a m");
      client.read(4);
      assertEquals(ERROR, client.read());
      client.read();
      // Looks like a message, and is a reply.
      proxy.every(CommandMatch.named("LRANGE"), CommandFault.fail("MINE"));
      client.send("LRANGE q 0 -1", "DEL q");
      assertEquals(List.of(ERROR, ":1\r\n"), client.read(2));
    }
  }

  @Test
  @DisplayName("pairs replies with requests among the pushes of RESP3")
  void subscriptions3() {
    try (RespProxy proxy = RespProxy.inFrontOf(server);
        Raw client = new Raw(proxy.host(), proxy.port())) {
      client.send("HELLO 3");
      client.read();
      proxy.every(CommandMatch.named("ECHO"), CommandFault.fail("MINE"));
      client.send("SUBSCRIBE a b", "ECHO x", "UNSUBSCRIBE b", "ECHO x", "GET none");
      assertEquals(
          List.of(
              ">3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n",
              ">3\r\n$9\r\nsubscribe\r\n$1\r\nb\r\n:2\r\n",
              ERROR,
              ">3\r\n$11\r\nunsubscribe\r\n$1\r\nb\r\n:1\r\n",
              ERROR,
              "_\r\n"),
          client.read(6));
      ActiveFault held = proxy.next(1, CommandMatch.named("GET"), CommandFault.holdRequest());
      client.send("GET none");
      server.call("PUBLISH", "a", "m1");
      assertEquals(push("message", "a", "m1"), client.read());
      held.close();
      assertEquals("_\r\n", client.read());
      // The server's own word about a key, with nothing asked.
      client.send("CLIENT TRACKING ON", "GET k");
      client.read(2);
      server.call("SET", "k", "1");
      assertEquals(">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nk\r\n", client.read());
      client.send("ECHO x");
      assertEquals(ERROR, client.read());
      server.call("DEL", "k");
    }
  }

  @Test
  @DisplayName("keeps its pairs when a client asks for no replies")
  void replyMode() {
    try (RespProxy proxy = RespProxy.inFrontOf(server);
        Raw client = new Raw(proxy.host(), proxy.port())) {
      proxy.every(CommandMatch.named("ECHO"), CommandFault.fail("MINE"));
      client.send(
          "CLIENT REPLY SKIP",
          "GET none",
          "ECHO a",
          "CLIENT REPLY OFF",
          "GET none",
          "CLIENT REPLY ON",
          "ECHO b",
          "GET none");
      assertEquals(List.of(ERROR, "+OK\r\n", ERROR, "$-1\r\n"), client.read(4));
    }
  }

  @Test
  @DisplayName("carries replication")
  void replication() {
    try (RespProxy proxy = RespProxy.inFrontOf(server);
        RedisServer replica = RedisServers.start()) {
      replica.call("REPLICAOF", proxy.host(), Integer.toString(proxy.port()));
      server.call("SET", "replicated", "1");
      Await.until("the replica has it", () -> replica.call("GET", "replicated").isPresent());
      server.call("APPEND", "replicated", "2");
      Await.until(
          "the replica follows", () -> replica.call("GET", "replicated").equals(Optional.of("12")));
      server.call("DEL", "replicated");
    }
  }

  @Test
  @DisplayName("is in order on many connections at once, with faults at random")
  void inOrder() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    ExecutorService clients = Executors.newFixedThreadPool(8);
    try (RespProxy proxy = RespProxy.inFrontOf(server)) {
      proxy.every(
          command -> command.name().equals("ECHO") && command.args().get(0).endsWith("7"),
          CommandFault.refuse("MINE"));
      proxy.every(
          command -> command.name().equals("ECHO") && command.args().get(0).endsWith("00"),
          CommandFault.delayReply(Duration.ofMillis(1)));
      List<Long> seeds = random.longs(8).boxed().toList();
      List<CompletableFuture<Void>> runs =
          seeds.stream()
              .map(s -> CompletableFuture.runAsync(() -> echoes(proxy, new Random(s)), clients))
              .collect(Collectors.toList());
      runs.forEach(CompletableFuture::join);
    } catch (RuntimeException | Error e) {
      throw new AssertionError("seed " + seed, e);
    } finally {
      clients.shutdown();
    }
  }

  private static void echoes(RespProxy proxy, Random random) {
    try (Raw client = new Raw(proxy.host(), proxy.port())) {
      int next = 0;
      for (int round = 0; round < 40; round++) {
        int many = 1 + random.nextInt(50);
        List<String> commands = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < many; i++) {
          String word = Integer.toString(next++);
          commands.add("ECHO " + word);
          expected.add(word.endsWith("7") ? ERROR : "$" + word.length() + "\r\n" + word + "\r\n");
        }
        client.send(commands.toArray(String[]::new));
        assertEquals(expected, client.read(many));
      }
    }
  }
}
