package dev.leasehold.redis.setnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.NotHereException;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.redis.common.RedisErrors;
import dev.leasehold.redis.setnx.Connections.Limits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.commons.pool2.PooledObject;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/**
 * A Redis, however many nodes it has. Lends a connection of the right node to one conversation at a
 * time. Nothing is sent twice by itself: Jedis' own repetition would answer a release that ran and
 * is sent again with "not yours", which reads as a loss. Thread-safe; blocks, but not for longer
 * than the command time-out.
 */
abstract class Redis implements AutoCloseable {
  private static final int MOST_REDIRECTS = 5;
  private static final Duration AT_LEAST = Duration.ofSeconds(2);
  private static final Command PING = Command.of(Protocol.Command.PING);

  /** What may wait for the network, and is no conversation. */
  final Background background = new Background();

  final Limits limits;
  private volatile Duration commandTimeout;

  /**
   * Not yet connected.
   *
   * @param limits of connections to each node; until the manager's command time-out is known, there
   *     is time to connect, to log in, and to spare
   */
  Redis(Limits limits) {
    this.limits = limits;
    this.commandTimeout = limits.patience().multipliedBy(2).plus(AT_LEAST);
  }

  /** Takes over the manager's clock, timers and command time-out. */
  final void start(StoreContext context) {
    background.start(context);
    commandTimeout = context.commandTimeout();
  }

  /**
   * Talks about a lock with the node that has a key, within the command time-out.
   *
   * @param steps called again from its beginning where the key has moved to another node
   * @throws LockStoreException for every failure, with the server's words
   */
  final <T> T talk(String operation, String lockName, byte[] key, Function<Conversation, T> steps) {
    return talk(operation, LockKind.LOCK, lockName, key, steps);
  }

  /** The same about any kind of lock. */
  final <T> T talk(
      String operation, LockKind kind, String name, byte[] key, Function<Conversation, T> steps) {
    Conversation.Deadline deadline = deadline();
    try {
      Connections node = having(key);
      for (int redirects = 0; ; redirects++) {
        try {
          return once(node, deadline, Conversation.Slot.OWNED, steps);
        } catch (JedisMovedDataException e) {
          checkRedirect();
          if (redirects == MOST_REDIRECTS) {
            throw e;
          }
          node = movedTo(e.getTargetNode(), deadline);
        } catch (JedisAskDataException e) {
          checkRedirect();
          return once(at(e.getTargetNode()), deadline, Conversation.Slot.BEING_IMPORTED, steps);
        } catch (JedisConnectionException e) {
          CallersConversation callers = CallersConversation.current();
          if (callers != null && callers.isCut()) {
            throw new LockStoreException(Kind.TIMED_OUT, CallersConversation.GIVEN_UP, e);
          }
          node.dropIdle(); // a server that broke one connection has mostly broken all
          mayHaveFailed();
          throw e;
        }
      }
    } catch (JedisException e) {
      throw Failures.of(e, RedisErrors.message(operation, kind, name));
    } catch (LockStoreException e) {
      throw new LockStoreException(
          e.kind(), RedisErrors.message(operation, kind, name) + ": " + e.getMessage(), e);
    }
  }

  /** Another node is to be asked, which did nothing yet; to wait for it is not for a caller. */
  private static void checkRedirect() {
    if (CallersConversation.current() != null) {
      throw new NotHereException();
    }
  }

  final Conversation.Deadline deadline() {
    return Conversation.Deadline.at(
        background::nanos, background.nanos() + commandTimeout.toNanos());
  }

  private static <T> T once(
      Connections node,
      Conversation.Deadline deadline,
      Conversation.Slot slot,
      Function<Conversation, T> steps) {
    CallersConversation callers = CallersConversation.current();
    PooledObject<Connection> lent = callers == null ? node.take(deadline) : node.takeIdle();
    if (lent == null) {
      throw new NotHereException(); // to wait for one is for a thread of the manager
    }
    Connection connection = lent.getObject();
    boolean usable = false;
    try {
      if (callers != null && !callers.begins(connection)) {
        usable = true;
        throw new LockStoreException(Kind.TIMED_OUT, CallersConversation.GIVEN_UP);
      }
      Conversation conversation = new Conversation(connection, deadline, slot, callers);
      try {
        return steps.apply(conversation);
      } finally {
        // Nobody is to go on with another's transaction, or to read another's reply.
        usable = conversation.isOver() && !connection.isBroken() && isReady(node, lent, callers);
        usable &= callers == null || callers.ends(connection);
      }
    } finally {
      if (usable) {
        node.putBack(lent);
      } else if (callers != null && callers.isCut()) {
        node.cutOff(lent);
      } else {
        node.hangUp(lent);
      }
    }
  }

  /** May log in anew, with the rest of the call's time to wait for an answer. */
  private static boolean isReady(
      Connections node, PooledObject<Connection> lent, @Nullable CallersConversation callers) {
    if (callers == null) {
      return node.isReady(lent);
    }
    AtomicBoolean ready = new AtomicBoolean();
    return callers.keepingOpen(lent.getObject(), () -> ready.set(node.isReady(lent)))
        && ready.get();
  }

  /** Asks for an answer. */
  final void ping() {
    try {
      once(
          forMessages(),
          deadline(),
          Conversation.Slot.OWNED,
          conversation -> conversation.call(PING));
    } catch (JedisException e) {
      throw unconnected(e);
    } catch (LockStoreException e) {
      throw new LockStoreException(
          e.kind(), "Could not connect to Redis at " + this + ": " + e.getMessage(), e);
    }
  }

  /** That no connection came about. */
  LockStoreException unconnected(JedisException failure) {
    return Failures.of(failure, "Could not connect to Redis at " + this);
  }

  /** The node that has a key, as far as is known. */
  abstract Connections having(byte[] key);

  /** A node that another node has named. */
  Connections at(HostAndPort node) {
    throw new JedisException("only a cluster points to other nodes, and not to " + node);
  }

  /** A node that has a key now; what others are told of it is to be learnt anew. */
  Connections movedTo(HostAndPort node, Conversation.Deadline deadline) {
    return at(node);
  }

  /** A connection broke: another node may have its keys by now. */
  void mayHaveFailed() {}

  /** A node where the messages of all releases arrive. */
  abstract Connections forMessages();

  /** "1" if a publish tells how many received it, "0" if it counts one node's alone. */
  abstract byte[] counts();

  /** Calls a listener when the node of {@link #forMessages} may be another one now. */
  void onNewPrimary(Runnable listener) {}

  /** Whether one script may take keys of several locks, whichever they are. */
  abstract boolean takesManyKeys();

  /** Whether one script may take these keys. Without a call, and always the same. */
  boolean mayTakeTogether(List<byte[]> keys) {
    return takesManyKeys();
  }

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

  /** {@code INFO memory} of a node. */
  final String memoryOf(Connections node) {
    Command info = Command.of(Protocol.Command.INFO, "memory".getBytes(UTF_8));
    return once(
        node,
        deadline(),
        Conversation.Slot.OWNED,
        conversation ->
            conversation.call(info) instanceof byte[] text ? new String(text, UTF_8) : "");
  }

  /** Closes all connections of ours, and the client if it is ours. Idempotent. */
  @Override
  public final void close() {
    closeConnections();
    background.close();
  }

  /** As {@link #close}, but for the threads. */
  abstract void closeConnections();
}
