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
 * A conversation on the thread of a lock operation's caller. It begins only if a connection is
 * idle, so that the caller's thread waits for nothing else. {@linkplain #cut Cutting} it off closes
 * its socket, which ends any read or write at once.
 */
final class CallersConversation implements BlockingLeaseStore.Cuttable {
  static final String GIVEN_UP = "the caller no longer waits for the call";

  private static final ThreadLocal<CallersConversation> CURRENT = new ThreadLocal<>();

  /** Jedis 6 lacks the method; there, calls run only on the manager's threads. */
  private static final boolean CAN_CUT =
      Arrays.stream(Connection.class.getMethods())
          .anyMatch(method -> method.getName().equals("forceDisconnect"));

  private enum State {
    /** It has no connection. */
    BESIDE,
    /**
     * It does something that would dial again if the connection were closed: a cut waits for its
     * end.
     */
    CLOSES_LATER,
    /** It is cut off and has to end. */
    CUT
  }

  private final Background background;

  /** A state, or the connection in use. */
  private final AtomicReference<Object> now = new AtomicReference<>(State.BESIDE);

  private CallersConversation(Background background) {
    this.background = background;
  }

  /** A new one; empty if it could not be cut off. */
  static Optional<BlockingLeaseStore.Cuttable> on(Background background) {
    return CAN_CUT ? Optional.of(new CallersConversation(background)) : Optional.empty();
  }

  /** The one that the current thread runs; null on a thread of the manager. */
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

  /** Lends it a connection; false if it is cut off already. */
  boolean begins(Connection connection) {
    return now.compareAndSet(State.BESIDE, connection);
  }

  /** Takes the connection back; false if it is closed, or about to be. */
  boolean ends(Connection connection) {
    return now.compareAndSet(connection, State.BESIDE);
  }

  /**
   * Runs steps during which a cut does not close the connection: otherwise Jedis would dial again
   * on this thread, without logging in or selecting the database. The steps must hardly block.
   *
   * @return false if it was cut off; then nothing that is left in the connection's buffer may be
   *     sent
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
      background.execute(() -> close(connection)); // TLS sends a close message, which may block
    }
  }

  /** Closes a connection's socket without sending what is in its buffer. */
  static void close(Connection connection) {
    try {
      connection.forceDisconnect();
    } catch (IOException | RuntimeException e) {
      // It is closed in any case.
    }
  }
}
