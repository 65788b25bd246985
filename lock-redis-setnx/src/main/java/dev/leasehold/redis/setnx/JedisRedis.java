package dev.leasehold.redis.setnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.WouldBlockException;
import dev.leasehold.redis.common.ClientFailures;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.RedisErrors;
import dev.leasehold.redis.setnx.JedisConnections.Limits;
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
 * One or more Redis servers. Lends a connection to the right node to one conversation at a time.
 * Nothing is resent automatically: with Jedis' own retries, a release that ran and is resent would
 * be answered with "not the owner", which reads as a loss. Thread-safe; blocks, but not for longer
 * than the command time-out.
 */
abstract class JedisRedis implements AutoCloseable {
  private static final int MOST_REDIRECTS = 5;
  private static final Duration AT_LEAST = Duration.ofSeconds(2);
  private static final Command PING = Command.of(Protocol.Command.PING);

  /** For network calls outside of conversations. */
  final Background background;

  final Limits limits;
  private volatile Duration commandTimeout;

  /**
   * Not yet connected.
   *
   * @param limits of connections to each node; until the manager's command time-out is known, a
   *     conversation has twice the time to connect, and two seconds
   */
  JedisRedis(Limits limits) {
    this(limits, new Background());
  }

  /** The same with threads that it owns. */
  JedisRedis(Limits limits, Background background) {
    this.background = background;
    this.limits = limits;
    this.commandTimeout = limits.patience().multipliedBy(2).plus(AT_LEAST);
  }

  /** Sets the manager's clock, timers and command time-out. */
  final void start(StoreContext context) {
    background.start(context);
    commandTimeout = context.commandTimeout();
  }

  /**
   * Holds a conversation with the node that has a key, within the command time-out.
   *
   * @param steps run again from the beginning if the key has moved to another node
   * @throws LockStoreException for every failure, with the server's message
   */
  final <T> T talk(String operation, String lockName, byte[] key, Function<Conversation, T> steps) {
    return talk(operation, LockKind.LOCK, lockName, key, steps);
  }

  /** The same for any kind of lock. */
  final <T> T talk(
      String operation, LockKind kind, String name, byte[] key, Function<Conversation, T> steps) {
    Conversation.Deadline deadline = deadline();
    String address = "";
    try {
      JedisConnections node = having(key);
      for (int redirects = 0; ; redirects++) {
        address = node.address();
        try {
          return once(node, deadline, Conversation.Slot.OWNED, steps);
        } catch (JedisMovedDataException e) {
          checkRedirect();
          if (redirects == MOST_REDIRECTS) {
            throw e;
          }
          mayHaveMoved(); // the slots are reloaded
          address = e.getTargetNode().toString();
          node = at(e.getTargetNode());
        } catch (JedisAskDataException e) {
          checkRedirect();
          address = e.getTargetNode().toString();
          node = at(e.getTargetNode());
          return once(node, deadline, Conversation.Slot.BEING_IMPORTED, steps);
        } catch (JedisConnectionException e) {
          CallersConversation callers = CallersConversation.current();
          if (callers != null && callers.isCut()) {
            throw new LockStoreException(Kind.TIMED_OUT, CallersConversation.GIVEN_UP, e);
          }
          node.dropIdle(); // a server that broke one connection has usually broken all
          mayHaveMoved();
          throw e;
        }
      }
    } catch (JedisException e) {
      throw JedisClients.FAILURES.of(e, RedisErrors.message(operation, kind, name), address);
    } catch (LockStoreException e) {
      boolean answered = e.kind() == Kind.REFUSED || e.kind() == Kind.UNAVAILABLE;
      String message = RedisErrors.message(operation, kind, name);
      String what = answered ? message : ClientFailures.at(message, address);
      throw new LockStoreException(e.kind(), what + ": " + e.getMessage(), e);
    }
  }

  /**
   * This node did nothing and redirects; a caller's thread must not wait for another connection.
   */
  private static void checkRedirect() {
    if (CallersConversation.current() != null) {
      throw new WouldBlockException();
    }
  }

  final Conversation.Deadline deadline() {
    return new Conversation.Deadline(
        background::nanos, background.nanos() + commandTimeout.toNanos());
  }

  private static <T> T once(
      JedisConnections node,
      Conversation.Deadline deadline,
      Conversation.Slot slot,
      Function<Conversation, T> steps) {
    CallersConversation callers = CallersConversation.current();
    PooledObject<Connection> lent = callers == null ? node.take(deadline) : node.takeIdle();
    if (lent == null) {
      throw new WouldBlockException(); // only a thread of the manager may wait for one
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
        // The next conversation must not inherit a transaction or read another's reply.
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

  /** May log in again, within the time left for the call. */
  private static boolean isReady(
      JedisConnections node, PooledObject<Connection> lent, @Nullable CallersConversation callers) {
    if (callers == null) {
      return node.isReady(lent);
    }
    AtomicBoolean ready = new AtomicBoolean();
    return callers.keepingOpen(lent.getObject(), () -> ready.set(node.isReady(lent)))
        && ready.get();
  }

  /** Checks that the server answers. */
  final void ping() {
    try {
      once(node(), deadline(), Conversation.Slot.OWNED, conversation -> conversation.call(PING));
    } catch (JedisException e) {
      throw unconnected(e);
    } catch (LockStoreException e) {
      throw new LockStoreException(
          e.kind(), "Could not connect to Redis at " + this + ": " + e.getMessage(), e);
    }
  }

  /** The exception for a failed connection. */
  LockStoreException unconnected(JedisException failure) {
    return JedisClients.FAILURES.of(failure, "Could not connect to Redis at " + this);
  }

  /** The node that receives the messages of all releases: the only one, or any of a cluster. */
  abstract JedisConnections node();

  /** The node that has a key, as far as known. */
  JedisConnections having(byte[] key) {
    return node();
  }

  /** A node that another node has redirected to. */
  JedisConnections at(HostAndPort node) {
    throw new JedisException("only a cluster points to other nodes, and not to " + node);
  }

  /** A connection broke, or a key has moved: another node may have its keys by now. */
  void mayHaveMoved() {}

  /** "1" if a publish returns the number of all receivers, "0" if only those at one node. */
  byte[] counts() {
    return Publishing.COUNTS_ALL;
  }

  /** Calls a listener when {@link #node} may have changed. */
  void onNewPrimary(Runnable listener) {}

  /** Whether one script may use keys of any locks. */
  boolean takesManyKeys() {
    return true;
  }

  /** Whether one script may use these keys. Without a call, and always the same. */
  boolean mayTakeTogether(List<byte[]> keys) {
    return takesManyKeys();
  }

  /**
   * The memory section of every node that holds keys.
   *
   * @throws LockStoreException for every failure, with the server's message
   */
  final List<String> memory() {
    try {
      return memories();
    } catch (JedisException e) {
      throw JedisClients.FAILURES.of(
          e, "Could not ask Redis at " + this + " whether it may evict keys");
    }
  }

  /** {@code INFO memory} of every node that holds keys. */
  List<String> memories() {
    return List.of(memoryOf(node()));
  }

  /** {@code INFO memory} of a node. */
  final String memoryOf(JedisConnections node) {
    Command info = Command.of(Protocol.Command.INFO, "memory".getBytes(UTF_8));
    return once(
        node,
        deadline(),
        Conversation.Slot.OWNED,
        conversation ->
            conversation.call(info) instanceof byte[] text ? new String(text, UTF_8) : "");
  }

  /** Closes all connections, and the client if the store owns it. Idempotent. */
  @Override
  public final void close() {
    closeConnections();
    background.close();
  }

  /** As {@link #close}, without the threads. */
  abstract void closeConnections();
}
