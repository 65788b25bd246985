package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.setnx.Ops.key;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.redis.setnx.JedisConnections.Limits;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.RespProxy;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;

@DisplayName("Servers that take a connection and say nothing")
class SetnxSilenceTest {
  @Test
  @Timeout(20)
  @DisplayName("Opening fails in about the time that is set, and names the address")
  void neverAnswers() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      long start = System.nanoTime();
      LockStoreException e =
          assertThrows(
              LockStoreException.class,
              () ->
                  Ops.open(
                          "redis://127.0.0.1:" + silent.getLocalPort(),
                          "lock.redis.connect-timeout",
                          "500ms")
                      .takes(key("silent")));
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      assertEquals(Kind.TIMED_OUT, e.kind(), e.getMessage());
      assertTrue(e.getMessage().contains(":" + silent.getLocalPort()), e.getMessage());
      assertTrue(took.toMillis() >= 450 && took.toMillis() < 5000, "took " + took);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"WATCH", "MULTI", "EXEC"})
  @Timeout(30)
  @DisplayName("A transaction that got no answer leaves nothing behind: the next use is clean")
  void stalledTransaction(String command) {
    try (RedisServer server = RedisServers.start();
        RespProxy proxy = RespProxy.inFrontOf(server);
        JedisRedis redis = through(proxy)) {
      try (ActiveFault stalled =
          proxy.next(
              1, CommandMatch.named(command), CommandFault.delayReply(Duration.ofSeconds(6)))) {
        LockStoreException e =
            assertThrows(LockStoreException.class, () -> transaction(redis, "stalled"));
        assertEquals(Kind.TIMED_OUT, e.kind(), e.getMessage());
        assertEquals(1, stalled.hits());
      }
      // An old answer, a WATCH or a queue that is left would each spoil one of these.
      server.call("SET", "stalled", "other");
      assertEquals("other", get(redis, "stalled"));
      transaction(redis, "next");
      assertEquals("next", get(redis, "stalled"));
    }
  }

  private static JedisRedis through(RespProxy proxy) {
    return new JedisServer(
        new ConnectionFactory(
            new HostAndPort(proxy.host(), proxy.port()),
            DefaultJedisClientConfig.builder().build()),
        new Limits(4, Duration.ofMillis(150))); // hence commands have 2.3 s
  }

  private static String get(JedisRedis redis, String key) {
    byte[] bytes = key.getBytes(UTF_8);
    return redis.talk(
        "get",
        key,
        bytes,
        conversation ->
            new String((byte[]) conversation.call(Command.of(Protocol.Command.GET, bytes)), UTF_8));
  }

  private static void transaction(JedisRedis redis, String value) {
    byte[] lock = "stalled".getBytes(UTF_8);
    redis.talk(
        "try",
        "stalled",
        lock,
        conversation -> {
          conversation.call(Command.of(Protocol.Command.WATCH, lock));
          conversation.call(Command.of(Protocol.Command.MULTI));
          conversation.call(Command.of(Protocol.Command.SET, lock, value.getBytes(UTF_8)));
          return conversation.call(Command.of(Protocol.Command.EXEC));
        });
  }
}
