package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.redis.common.RedisErrors;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/**
 * A Redis, however many nodes it has. Lends a pooled connection of the right node to one
 * conversation at a time. Nothing is sent twice by itself: Jedis' own repetition would answer a
 * release that ran and is sent again with "not yours", which reads as a loss. Thread-safe; blocks.
 */
abstract class Redis implements AutoCloseable {
  private static final int MOST_REDIRECTS = 5;
  private static final Duration FIRST_TIMEOUT = Duration.ofSeconds(2);

  private volatile Ticker ticker = Ticker.system();
  private volatile Duration commandTimeout = FIRST_TIMEOUT;

  /** Takes over the manager's clock and command time-out. */
  final void start(StoreContext context) {
    ticker = context.ticker();
    commandTimeout = context.commandTimeout();
  }

  /**
   * Talks with the node that has a key, within the command time-out.
   *
   * @param conversation called again from its beginning where the key has moved to another node
   * @throws LockStoreException for every failure, with the server's words
   */
  final <T> T talk(String operation, String lockName, byte[] key, Function<Wire, T> conversation) {
    Wire.Deadline deadline = deadline();
    try {
      for (int redirects = 0; ; redirects++) {
        try {
          return once(borrow(key), deadline, Wire.Slot.OWNED, conversation);
        } catch (JedisMovedDataException e) {
          if (redirects == MOST_REDIRECTS) {
            throw e;
          }
          learnWhereIs(key);
        } catch (JedisAskDataException e) {
          return once(
              borrowAt(e.getTargetNode()), deadline, Wire.Slot.BEING_IMPORTED, conversation);
        }
      }
    } catch (JedisConnectionException e) {
      dropIdle(); // a server that broke one connection has mostly broken all
      throw Failures.of(e, RedisErrors.message(operation, lockName));
    } catch (JedisException e) {
      throw Failures.of(e, RedisErrors.message(operation, lockName));
    } catch (LockStoreException e) {
      throw new LockStoreException(
          e.kind(), RedisErrors.message(operation, lockName) + ": " + e.getMessage(), e);
    }
  }

  private Wire.Deadline deadline() {
    return Wire.Deadline.at(ticker::nanos, ticker.nanos() + commandTimeout.toNanos());
  }

  private static <T> T once(
      Connection connection,
      Wire.Deadline deadline,
      Wire.Slot slot,
      Function<Wire, T> conversation) {
    try (connection) {
      Wire wire = new Wire(connection, deadline, slot);
      try {
        return conversation.apply(wire);
      } finally {
        if (wire.isWatching()) {
          connection.setBroken(); // not for the next one to go on with this one's transaction
        } else if (!connection.isBroken()) {
          connection.rollbackTimeout();
        }
      }
    }
  }

  /** A section of {@code INFO}, as that connection's node tells it. */
  static String info(Connection connection, String section) {
    connection.sendCommand(Protocol.Command.INFO, section);
    return connection.getBulkReply();
  }

  /** Asks for an answer. */
  final void ping() {
    try (Connection connection = borrowForMessages()) {
      connection.ping();
    } catch (JedisException e) {
      throw unconnected(e);
    }
  }

  /** That no connection came about. */
  LockStoreException unconnected(JedisException failure) {
    return Failures.of(failure, "Could not connect to Redis at " + this);
  }

  /** A connection to the node that has a key; closing it gives it back. */
  abstract Connection borrow(byte[] key);

  /** A connection to a node that another node has named. */
  Connection borrowAt(HostAndPort node) {
    throw new JedisException("only a cluster points to other nodes, and not to " + node);
  }

  /** Finds out which node has a key now. */
  void learnWhereIs(byte[] key) {}

  /** A connection to a node where the messages of all releases arrive. */
  abstract Connection borrowForMessages();

  /** "1" if a publish tells how many received it, "0" if it counts one node's alone. */
  abstract byte[] counts();

  /** Calls a listener when the node of {@link #borrowForMessages} may be another one now. */
  void onNewPrimary(Runnable listener) {}

  /** Whether one script may take keys of several locks. */
  abstract boolean takesManyKeys();

  /**
   * What every node that holds keys says of its memory.
   *
   * @throws LockStoreException for every failure, with the server's words
   */
  final List<String> memory() {
    try {
      return memories();
    } catch (JedisException e) {
      throw Failures.of(e, "Could not ask Redis at " + this + " whether it may evict keys");
    }
  }

  /** {@code INFO memory} of every node that holds keys. */
  abstract List<String> memories();

  /** Closes connections that nobody uses. */
  abstract void dropIdle();

  /** Closes the client if it is ours. Idempotent. */
  @Override
  public abstract void close();
}
