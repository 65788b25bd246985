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
 * Connections to one node, in the hands of one conversation at a time. Thread-safe.
 *
 * <p>Not a pool of Jedis' kind, which dials on the thread that asks and also on the one that
 * returns a broken connection, and whose waiters lose their interrupts. Here whatever may wait for
 * the network, but the conversations themselves, is done by {@link Background}'s threads: looking
 * up the address, connecting, logging in, and hanging up. Who needs a connection waits for it no
 * longer than its deadline; an interrupt does not disturb that, and is kept.
 */
final class Connections {
  /** A crowd's connections go soon after it. */
  private static final Duration IDLE_AT_MOST = Duration.ofSeconds(5);

  private static final Duration LOOK_FOR_IDLE = Duration.ofSeconds(1);

  private final PooledObjectFactory<Connection> factory;
  private final Background background;
  private final Limits limits;
  private final ReentrantLock lock = new ReentrantLock();

  /** The one used last is first. */
  private final Deque<Idle> idle = new ArrayDeque<>();

  private final Deque<CompletableFuture<PooledObject<Connection>>> waiters = new ArrayDeque<>();

  /** Those that there are, and those that are being made. */
  private int count;

  private int dialing;
  private boolean looking;
  private boolean closed;

  /**
   * How many, and how long one waits when all are in use.
   *
   * @param most connections at a time
   * @param patience how long a conversation waits for one that another has, at most
   */
  record Limits(int most, Duration patience) {}

  private record Idle(PooledObject<Connection> connection, long since) {}

  /** None yet; the factory connects, and is only called on the background's threads. */
  Connections(PooledObjectFactory<Connection> factory, Background background, Limits limits) {
    this.factory = factory;
    this.background = background;
    this.limits = limits;
  }

  /**
   * One for the caller alone, who has to give it {@linkplain #giveBack back}. Not interruptible.
   *
   * @throws JedisException if there is no connection to be had
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
      if (closed) {
        throw new JedisException("the connections are closed");
      }
      mine = new CompletableFuture<>();
      waiters.addLast(mine);
      dialIfWanted();
    } finally {
      lock.unlock();
    }
    return await(mine, deadline);
  }

  /** As {@link #take}, but does not wait: null if none is idle. */
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
          isAnswered = true; // at the same moment; the deadline is over for good
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

  /** Takes a waiter off the queue; false if it was not there: it has its answer, or gets it now. */
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

  /** Gives one back that can be used again. */
  void giveBack(PooledObject<Connection> connection) {
    if (isReady(connection)) {
      putBack(connection);
    } else {
      hangUp(connection);
    }
  }

  /** Before one is given back: whether others can use it. May log in anew. */
  boolean isReady(PooledObject<Connection> connection) {
    try {
      factory.passivateObject(connection); // logs in anew if the credentials have changed
      return true;
    } catch (Exception e) {
      return false;
    }
  }

  /** Gives one back that {@link #isReady}. */
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

  /** Gives one back that nobody can use any more. */
  void hangUp(PooledObject<Connection> connection) {
    forget();
    background.execute(() -> end(connection));
  }

  /** As {@link #hangUp}; what is in its buffer is not sent, which Jedis else does at the end. */
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
      // Ended is ended.
    }
  }

  /** As many as are waited for, and there is room for. With the lock. */
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

  /** Has an eye on those that nobody uses. With the lock. */
  private void lookLater() {
    if (!looking && !idle.isEmpty()) {
      looking = background.later(LOOK_FOR_IDLE, this::look);
    }
  }

  private void look() {
    if (lock.isHeldByCurrentThread()) {
      return; // a timer that is closed calls at once
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

  /** Hangs up all that nobody uses. */
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

  /** Ends all; those that are in use, when they come back. */
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
