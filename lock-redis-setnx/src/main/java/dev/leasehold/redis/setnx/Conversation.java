package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.redis.common.NativeCommand;
import dev.leasehold.redis.common.RedisErrors;
import dev.leasehold.redis.common.ScriptRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Exclusive use of one connection for several round trips. Every round trip must fit into the
 * conversation's time, and none begins after it: a late step could take a lock that its caller has
 * given up.
 */
final class Conversation {
  /** Whether the node owns the slot, or is still importing it. */
  enum Slot {
    OWNED,
    BEING_IMPORTED
  }

  private static final Command ASKING = Command.of(Protocol.Command.ASKING);

  private final Connection connection;
  private final Deadline deadline;
  private final Slot slot;
  private final @Nullable CallersConversation callers;
  private boolean watching;

  /** Whether something that was sent is not answered yet. */
  private boolean talking;

  /**
   * On a lent connection.
   *
   * @param callers set on the thread of an operation's caller; null on the manager's threads
   */
  Conversation(
      Connection connection, Deadline deadline, Slot slot, @Nullable CallersConversation callers) {
    this.connection = connection;
    this.deadline = deadline;
    this.slot = slot;
    this.callers = callers;
  }

  /**
   * One round trip. Bulk replies are bytes, numbers {@code Long}, and lists {@code List}.
   *
   * @throws JedisDataException with the server's message if it answers with an error
   */
  @Nullable Object call(Command command) {
    List<@Nullable Object> replies = exchange(command);
    return replies.get(0);
  }

  /**
   * Several commands in one round trip; the replies in order. Throws the same errors as {@link
   * #call}, after all replies are read.
   */
  List<@Nullable Object> callAll(Command... commands) {
    if (slot == Slot.BEING_IMPORTED) {
      throw new LockStoreException(
          Kind.UNAVAILABLE, "the lock's slot is moving to another node: try again");
    }
    return exchange(commands);
  }

  /** Jedis has no constants for these commands. */
  private static ProtocolCommand keyword(NativeCommand first) {
    byte[] name = first.name().getBytes(StandardCharsets.US_ASCII);
    return () -> name;
  }

  /**
   * A script by its digest; by its text if the server does not have it, which caches it there. Not
   * run if its {@linkplain NativeCommand shortcut} does all.
   */
  @Nullable Object script(ScriptRequest request) {
    NativeCommand first = request.shortcut();
    if (first != null) {
      try {
        Object reply = call(Command.of(keyword(first), first.arguments().toArray(byte[][]::new)));
        if (first.isDone(reply)) {
          return reply;
        }
      } catch (JedisRedirectionException elsewhere) {
        throw elsewhere;
      } catch (JedisDataException e) {
        first.failed(e.getMessage());
      }
    }
    try {
      return call(script(Protocol.Command.EVALSHA, request.script().sha(), request));
    } catch (JedisDataException e) {
      if (RedisErrors.isNoScript(e.getMessage())) {
        return call(script(Protocol.Command.EVAL, request.script().body(), request));
      }
      throw e;
    }
  }

  private static Command script(Protocol.Command how, byte[] script, ScriptRequest request) {
    byte[][] keys = request.keys();
    byte[][] arguments = request.arguments();
    byte[][] all = new byte[2 + keys.length + arguments.length][];
    all[0] = script;
    all[1] = Integer.toString(keys.length).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(keys, 0, all, 2, keys.length);
    System.arraycopy(arguments, 0, all, 2 + keys.length, arguments.length);
    return new Command(how, all);
  }

  private List<@Nullable Object> exchange(Command... commands) {
    connection.setSoTimeout(deadline.millisLeft());
    boolean asking = slot == Slot.BEING_IMPORTED;
    talking = true;
    if (callers == null) {
      write(asking, commands);
    } else if (!callers.keepingOpen(connection, () -> write(asking, commands))) {
      throw new LockStoreException(Kind.TIMED_OUT, CallersConversation.GIVEN_UP);
    }
    List<@Nullable Object> replies = connection.getMany(commands.length + (asking ? 1 : 0));
    talking = false;
    List<@Nullable Object> wanted = asking ? replies.subList(1, replies.size()) : replies;
    for (Object reply : wanted) {
      if (reply instanceof JedisDataException error) {
        throw error;
      }
    }
    return wanted;
  }

  /**
   * Writes into the connection's buffer or the socket. Jedis connects here if it is not connected.
   */
  private void write(boolean asking, Command... commands) {
    if (asking) {
      connection.sendCommand(ASKING.toJedis());
    }
    for (Command command : commands) {
      follow(command);
      connection.sendCommand(command.toJedis());
    }
  }

  /**
   * Whether another conversation may begin on this connection: no watched keys, no open transaction
   * and no outstanding reply, as there may be after an {@link Error}.
   */
  boolean isOver() {
    return !watching && !talking;
  }

  private void follow(Command command) {
    if (command.name() == Protocol.Command.WATCH || command.name() == Protocol.Command.MULTI) {
      watching = true;
    } else if (command.name() == Protocol.Command.EXEC
        || command.name() == Protocol.Command.UNWATCH
        || command.name() == Protocol.Command.DISCARD) {
      watching = false;
    }
  }

  /**
   * The time by which a conversation has to end.
   *
   * @param clock in nanoseconds
   * @param at by that clock
   */
  record Deadline(LongSupplier clock, long at) {
    /**
     * The time left.
     *
     * @throws LockStoreException if there is none
     */
    long nanosLeft() {
      long left = at - clock.getAsLong();
      if (left <= 0) {
        throw new LockStoreException(Kind.TIMED_OUT, "the command time-out was over");
      }
      return left;
    }

    /** As {@link #nanosLeft}; at least one millisecond. */
    int millisLeft() {
      return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanosLeft()));
    }
  }
}
