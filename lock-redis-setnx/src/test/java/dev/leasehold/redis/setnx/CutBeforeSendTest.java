package dev.leasehold.redis.setnx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.BlockingLeaseStore.Cuttable;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol;

/**
 * Jedis dials anew where it is to write to a connection that is closed, and does not log in or
 * select the database there. A cut that comes just then must not have it do so.
 */
@DisplayName("A call of a caller's that is cut off around its sending")
@Timeout(60)
class CutBeforeSendTest {
  private static final byte[] KEY = "cut-before-send".getBytes(UTF_8);
  private static final String NAME = "cut-before-send";
  private static RedisServer server;

  private final AtomicInteger dialed = new AtomicInteger();

  /** What happens when the next command is sent. */
  private volatile Runnable before = () -> {};

  private volatile Runnable after = () -> {};

  @BeforeAll
  static void start() {
    server = RedisServers.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  enum When {
    BEFORE,
    AFTER
  }

  @ParameterizedTest
  @EnumSource(When.class)
  @DisplayName("It dials nothing, and nothing of it is sent, then or later")
  void nothingIsSent(When when) {
    Background synchronous = new Background();
    synchronous.close(); // it runs all on the thread that asks now, so a cut is done at once
    try (JedisServer redis =
        new JedisServer(new Dialing(), new JedisConnections.Limits(4, Duration.ofSeconds(10)))) {
      Optional<Cuttable> cuttable = CallersConversation.on(synchronous);
      assumeTrue(cuttable.isPresent(), "this Jedis can't be cut");
      Cuttable mine = cuttable.get();
      redis.ping();
      assertEquals(1, dialed.get());
      if (when == When.BEFORE) {
        before = mine::cut;
      } else {
        after = mine::cut;
      }
      LockStoreException failure =
          assertThrows(LockStoreException.class, () -> mine.make(() -> write(redis)));
      assertEquals(LockStoreException.Kind.TIMED_OUT, failure.kind());
      assertEquals(1, dialed.get());
      Await.until("it is closed", () -> ClientList.named(server, NAME).isEmpty());
      for (long database = 0; database < 16; database++) {
        assertTrue(isEmpty(database), "database " + database);
      }
      before = () -> {};
      after = () -> {};
      assertEquals("OK", new String((byte[]) write(redis), UTF_8)); // on a new one
      assertEquals(2, dialed.get());
      assertTrue(isEmpty(0));
    } finally {
      server.call("FLUSHALL");
    }
  }

  private static Object write(JedisRedis redis) {
    return redis.talk(
        "write",
        NAME,
        KEY,
        conversation -> conversation.call(Command.of(Protocol.Command.SET, KEY, KEY)));
  }

  private static boolean isEmpty(long database) {
    try (Connection other =
        new Connection(
            new HostAndPort(server.host(), server.port()),
            DefaultJedisClientConfig.builder().database((int) database).build())) {
      other.sendCommand(Protocol.Command.DBSIZE);
      return other.getIntegerReply() == 0;
    }
  }

  /** Connections to database 5. */
  private final class Dialing extends BasePooledObjectFactory<Connection> {
    private final HostAndPort address = new HostAndPort(server.host(), server.port());
    private final JedisClientConfig config =
        DefaultJedisClientConfig.builder().database(5).clientName(NAME).build();

    @Override
    public Connection create() {
      DefaultJedisSocketFactory sockets = new DefaultJedisSocketFactory(address, config);
      return new Watched(
          () -> {
            dialed.incrementAndGet();
            return sockets.createSocket();
          },
          config);
    }

    @Override
    public PooledObject<Connection> wrap(Connection connection) {
      return new DefaultPooledObject<>(connection);
    }

    @Override
    public void destroyObject(PooledObject<Connection> connection) {
      connection.getObject().close();
    }
  }

  private final class Watched extends Connection {
    Watched(JedisSocketFactory sockets, JedisClientConfig config) {
      super(sockets, config);
    }

    @Override
    public void sendCommand(CommandArguments command) {
      if (command.getCommand() != Protocol.Command.SET) {
        super.sendCommand(command);
        return;
      }
      before.run();
      super.sendCommand(command);
      after.run();
    }
  }
}
