package dev.leasehold.redis.setnx;

import dev.leasehold.lock.spi.BlockingLeaseStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;

/**
 * A conversation on the thread of a lock operation's caller. It begins only on a connection that is
 * at hand, so that nothing but the conversation itself has that thread wait; and whoever
 * {@linkplain #cut cuts} it off closes its socket, which ends any read or write at once.
 */
final class CallersConversation implements BlockingLeaseStore.Cuttable {
  static final String GIVEN_UP = "the call was given up by who waited for it";

  private static final ThreadLocal<CallersConversation> CURRENT = new ThreadLocal<>();

  /** Not in Jedis 6; there, calls stay on the manager's threads. */
  private static final boolean CAN_CUT =
      Arrays.stream(Connection.class.getMethods())
          .anyMatch(method -> method.getName().equals("forceDisconnect"));

  private enum State {
    /** No connection is lent. */
    BESIDE,
    /** It does what would dial anew on a connection that is closed: a cut waits for its end. */
    CLOSES_LATER,
    /** Whatever it does, it is to end. */
    CUT
  }

  private final Background background;

  /** A state, or the connection that is talked over. */
  private final AtomicReference<Object> now = new AtomicReference<>(State.BESIDE);

  private CallersConversation(Background background) {
    this.background = background;
  }

  /** A new one; none if it could not be cut off. */
  static Optional<BlockingLeaseStore.Cuttable> on(Background background) {
    return CAN_CUT ? Optional.of(new CallersConversation(background)) : Optional.empty();
  }

  /** The one that this thread makes a call for; null on a thread of the manager. */
  static @Nullable CallersConversation current() {
    return CURRENT.get();
  }

  @Override
  public <T> T make(Supplier<T> call) {
    CURRENT.set(this);
    try {
      return call.get();
    } finally {
      CURRENT.remove();
    }
  }

  /** A connection is lent to it; false if it is cut off already. */
  boolean begins(Connection connection) {
    return now.compareAndSet(State.BESIDE, connection);
  }

  /** The connection goes back; false if it is closed, or about to be. */
  boolean ends(Connection connection) {
    return now.compareAndSet(connection, State.BESIDE);
  }

  /**
   * Has steps done that a cut does not close the connection in: Jedis would dial anew, on this
   * thread, and neither log in nor select the database there. To be as good as without waits.
   *
   * @return false if it is cut off; whatever the steps have left in the connection's buffer must
   *     not be sent then
   */
  boolean keepingOpen(Connection connection, Runnable steps) {
    if (!now.compareAndSet(connection, State.CLOSES_LATER)) {
      return false;
    }
    boolean goesOn;
    try {
      steps.run();
    } finally {
      goesOn = now.compareAndSet(State.CLOSES_LATER, connection);
    }
    return goesOn;
  }

  boolean isCut() {
    return now.get() == State.CUT;
  }

  @Override
  public void cut() {
    if (now.getAndSet(State.CUT) instanceof Connection connection) {
      background.execute(() -> close(connection)); // TLS takes its leave, and may wait
    }
  }

  /** Closes a connection's socket; what is in its buffer is not sent. */
  static void close(Connection connection) {
    try {
      connection.forceDisconnect();
    } catch (IOException | RuntimeException e) {
      // Closed is closed.
    }
  }
}
