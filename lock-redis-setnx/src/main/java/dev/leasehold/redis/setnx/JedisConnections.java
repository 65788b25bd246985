package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.PooledObjectFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Connections to one node, each used by one conversation at a time. Thread-safe.
 *
 * <p>Jedis' pool dials on the thread that asks, and also on the one that returns a broken
 * connection, and its waiters lose interrupts. Here all network calls except the conversations
 * themselves run on {@link Background}'s threads: address look-up, connecting, logging in and
 * disconnecting. A caller waits for a connection until its deadline at most; an interrupt does not
 * end the wait, and is kept.
 */
final class JedisConnections {
  /** Connections needed only for a peak of load are closed soon after it. */
  private static final Duration IDLE_AT_MOST = Duration.ofSeconds(5);

  private static final Duration LOOK_FOR_IDLE = Duration.ofSeconds(1);

  private final String address;
  private final PooledObjectFactory<Connection> factory;
  private final Background background;
  private final Limits limits;
  private final ReentrantLock lock = new ReentrantLock();

  /** The most recently used one is first. */
  private final Deque<Idle> idle = new ArrayDeque<>();

  private final Deque<CompletableFuture<PooledObject<Connection>>> waiters = new ArrayDeque<>();

  /** Open connections and those being opened. */
  private int count;

  private int dialing;
  private boolean looking;
  private boolean closed;

  /**
   * Limits on connections.
   *
   * @param most connections at a time
   * @param patience the longest wait for a connection while all are in use
   */
  record Limits(int most, Duration patience) {}

  private record Idle(PooledObject<Connection> connection, long since) {}

  /**
   * No connections yet; the factory is only called on the background's threads.
   *
   * @param address the node's, for messages; empty if it is not known
   */
  JedisConnections(
      String address,
      PooledObjectFactory<Connection> factory,
      Background background,
      Limits limits) {
    this.address = address;
    this.factory = factory;
    this.background = background;
    this.limits = limits;
  }

  String address() {
    return address;
  }

  /**
   * A connection for the caller's exclusive use, which must be {@linkplain #giveBack returned}. Not
   * interruptible.
   *
   * @throws JedisException if the node can't be connected to
   * @throws LockStoreException if there was none by the deadline, or all are in use
   */
  PooledObject<Connection> take(Conversation.Deadline deadline) {
    CompletableFuture<PooledObject<Connection>> mine;
    lock.lock();
    try {
      Idle first = idle.pollFirst();
      if (first != null) {
        return first.connection();
      }
      checkOpen();
      mine = new CompletableFuture<>();
      waiters.addLast(mine);
      dialIfWanted();
    } finally {
      lock.unlock();
    }
    return await(mine, deadline);
  }

  private void checkOpen() {
    lock.lock();
    try {
      if (closed) {
        throw new JedisException("the connections are closed");
      }
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #take} without waiting: null if none is idle. */
  @Nullable PooledObject<Connection> takeIdle() {
    lock.lock();
    try {
      Idle first = idle.pollFirst();
      return first == null ? null : first.connection();
    } finally {
      lock.unlock();
    }
  }

  private PooledObject<Connection> await(
      CompletableFuture<PooledObject<Connection>> mine, Conversation.Deadline deadline) {
    boolean interrupted = false;
    try {
      long until = background.nanos() + limits.patience().toNanos();
      boolean isAnswered = false;
      while (true) {
        try {
          if (isAnswered) {
            return mine.get();
          }
          long left = deadline.nanosLeft();
          return mine.get(
              isUsedUp() ? Math.min(left, until - background.nanos()) : left, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (TimeoutException | LockStoreException late) {
          boolean usedUp = isUsedUp();
          if (withdraw(mine)) {
            throw usedUp
                ? usedUp()
                : new LockStoreException(Kind.TIMED_OUT, "not connected in time");
          }
          isAnswered = true; // at the same moment; no second time-out is possible
        } catch (ExecutionException failed) {
          if (failed.getCause() instanceof JedisException jedis) {
            throw jedis;
          }
          throw new JedisException(failed.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Removes a waiter from the queue; false if it was not there: it has its answer, or is about to.
   */
  private boolean withdraw(CompletableFuture<PooledObject<Connection>> waiter) {
    lock.lock();
    try {
      return waiters.removeIf(other -> other == waiter);
    } finally {
      lock.unlock();
    }
  }

  private boolean isUsedUp() {
    lock.lock();
    try {
      return dialing == 0 && count >= limits.most();
    } finally {
      lock.unlock();
    }
  }

  private LockStoreException usedUp() {
    return new LockStoreException(
        Kind.UNAVAILABLE,
        "all "
            + limits.most()
            + " connections were in use for too long ("
            + SetnxSettings.CONNECTIONS.key()
            + ")");
  }

  /** Returns a connection that may be usable. */
  void giveBack(PooledObject<Connection> connection) {
    if (isReady(connection)) {
      putBack(connection);
    } else {
      hangUp(connection);
    }
  }

  /** Whether a connection to be returned is usable. May log in again. */
  boolean isReady(PooledObject<Connection> connection) {
    try {
      factory.passivateObject(connection); // may log in again
      return true;
    } catch (Exception e) {
      return false;
    }
  }

  /** Returns a connection that {@link #isReady}. */
  void putBack(PooledObject<Connection> connection) {
    CompletableFuture<PooledObject<Connection>> next;
    lock.lock();
    try {
      if (!closed) {
        next = waiters.pollFirst();
        if (next == null) {
          idle.addFirst(new Idle(connection, background.nanos()));
          lookLater();
          return;
        }
      } else {
        next = null;
      }
    } finally {
      lock.unlock();
    }
    if (next == null) {
      hangUp(connection);
    } else {
      next.complete(connection);
    }
  }

  /** Returns an unusable connection. */
  void hangUp(PooledObject<Connection> connection) {
    forget();
    background.execute(() -> end(connection));
  }

  /**
   * As {@link #hangUp}, without sending what is in the buffer, which Jedis otherwise does on
   * closing.
   */
  void cutOff(PooledObject<Connection> connection) {
    forget();
    background.execute(
        () -> {
          CallersConversation.close(connection.getObject());
          end(connection);
        });
  }

  private void forget() {
    lock.lock();
    try {
      count--;
      dialIfWanted();
    } finally {
      lock.unlock();
    }
  }

  private void end(PooledObject<Connection> connection) {
    try {
      factory.destroyObject(connection);
    } catch (Exception e) {
      // It is closed in any case.
    }
  }

  /** Opens as many as are waited for and allowed. With the lock. */
  private void dialIfWanted() {
    while (!closed && dialing < waiters.size() && count < limits.most()) {
      count++;
      dialing++;
      background.execute(this::dial);
    }
  }

  private void dial() {
    PooledObject<Connection> made = null;
    Throwable failure = null;
    try {
      checkOpen(); // it may come late, and on a timer's thread, if no thread could be started
      made = factory.makeObject();
    } catch (Throwable e) {
      failure = e;
    }
    CompletableFuture<PooledObject<Connection>> waiter = null;
    lock.lock();
    try {
      dialing--;
      if (made == null) {
        count--;
        waiter = waiters.pollFirst();
        dialIfWanted();
      }
    } finally {
      lock.unlock();
    }
    if (made != null) {
      giveBack(made);
    } else if (waiter != null) {
      waiter.completeExceptionally(failure);
    }
  }

  /** Schedules the closing of idle connections. With the lock. */
  private void lookLater() {
    if (!looking && !idle.isEmpty()) {
      looking = background.later(LOOK_FOR_IDLE, this::look);
    }
  }

  private void look() {
    if (lock.isHeldByCurrentThread()) {
      return; // a closed timer calls at once
    }
    List<PooledObject<Connection>> old = new ArrayList<>();
    lock.lock();
    try {
      looking = false;
      long before = background.nanos() - IDLE_AT_MOST.toNanos();
      for (Idle last = idle.peekLast();
          last != null && last.since() - before < 0;
          last = idle.peekLast()) {
        idle.removeLast();
        old.add(last.connection());
      }
      lookLater();
    } finally {
      lock.unlock();
    }
    old.forEach(this::hangUp);
  }

  /** Closes all idle connections. */
  void dropIdle() {
    takeAllIdle().forEach(this::hangUp);
  }

  private List<PooledObject<Connection>> takeAllIdle() {
    lock.lock();
    try {
      List<PooledObject<Connection>> all = idle.stream().map(Idle::connection).toList();
      idle.clear();
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** Closes all connections; those in use when they are returned. */
  void close() {
    List<CompletableFuture<PooledObject<Connection>>> none;
    lock.lock();
    try {
      closed = true;
      none = List.copyOf(waiters);
      waiters.clear();
    } finally {
      lock.unlock();
    }
    none.forEach(w -> w.completeExceptionally(new JedisException("the connections are closed")));
    takeAllIdle().forEach(this::end);
  }
}
