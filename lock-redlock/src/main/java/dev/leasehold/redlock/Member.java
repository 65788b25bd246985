package dev.leasehold.redlock;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.NodeEvent;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.lock.spi.quorum.IdentifiedStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node and its record of answering. Thread-safe. */
final class Member {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.redlock");

  /** How often in a row a node may be late before its answers are no longer awaited. */
  private static final int LATE_AT_MOST = 3;

  /**
   * How many calls may be unanswered before no more are sent, so that a hung node does not fill the
   * heap.
   */
  private static final int MOST_UNANSWERED = 10_000;

  /**
   * How many calls may time out since the node's last answer before it is called only occasionally:
   * a client usually keeps what it has sent until it is answered.
   */
  private static final int MOST_GIVEN_UP = 1000;

  private static final long NOW_AND_THEN_NANOS = 100_000_000;

  final int index;
  final LeaseStore store;
  final PendingCalls pendingReleases = new PendingCalls(this);
  final PendingCalls pendingLeaves = new PendingCalls(this);
  private final AtomicInteger unanswered = new AtomicInteger();
  private final AtomicInteger givenUp = new AtomicInteger();
  private final AtomicLong triedAt = new AtomicLong();

  /** Null while the node answers in time. */
  private final AtomicReference<@Nullable Lateness> late = new AtomicReference<>();

  private record Lateness(int inARow, long lastFor) {}

  /** The server's identity, used while the store itself does not know it; empty if unknown. */
  private volatile String claimed = "";

  /**
   * Set when a call could not reach the node, until one does. For a node that was never reached,
   * ReconnectingNode reports it.
   */
  private final AtomicBoolean down = new AtomicBoolean();

  private volatile Consumer<NodeEvent> events = event -> {};

  Member(int index, LeaseStore store) {
    this.index = index;
    this.store = store;
  }

  void tells(Consumer<NodeEvent> listener) {
    events = listener;
  }

  /** Sets the identity that it is known by from now on. */
  void claim(String serverId) {
    claimed = serverId;
  }

  /** The identity of its server; empty if unknown. */
  String serverId() {
    String now = store instanceof IdentifiedStore known ? known.serverId() : "";
    return now.isEmpty() ? claimed : now;
  }

  @Override
  public String toString() {
    return store instanceof ReconnectingNode ? store.toString() : "node " + (index + 1);
  }

  /** Stops repeating unconfirmed calls: the node lets their leases and places expire. */
  void stopRepeating() {
    pendingReleases.stop();
    pendingLeaves.stop();
  }

  /** Whether calls reach it, as far as is known. */
  boolean isUp() {
    return !down.get() && !(store instanceof ReconnectingNode node && !node.isOpen());
  }

  static LockStoreException noneIsUp() {
    return new LockStoreException(Kind.UNREACHABLE, "no node of the quorum can be reached");
  }

  boolean isSlow() {
    return isSlow(late.get());
  }

  private static boolean isSlow(@Nullable Lateness late) {
    return late != null && late.inARow >= LATE_AT_MOST;
  }

  /**
   * An answer was late. Late answers to requests sent together count as one: the cause may be a
   * pause of this process.
   */
  void wasLate(long sentAt, Duration inTime) {
    Lateness before = late.get();
    if (before != null && sentAt - before.lastFor < inTime.toNanos()) {
      return;
    }
    Lateness now = new Lateness(before == null ? 1 : before.inARow + 1, sentAt);
    if (late.compareAndSet(before, now) && now.inARow == LATE_AT_MOST) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} of the quorum is repeatedly slow: calls no longer wait for its answer",
          this);
      events.accept(new NodeEvent.Slow(toString()));
    }
  }

  void wasInTime() {
    if (late.get() != null && isSlow(late.getAndSet(null))) {
      LOG.log(System.Logger.Level.INFO, "{0} of the quorum answers in time again", this);
      events.accept(new NodeEvent.InTime(toString()));
    }
  }

  private boolean isHung(StoreContext context) {
    if (givenUp.get() < MOST_GIVEN_UP) {
      return false;
    }
    long now = context.ticker().nanos();
    long before = triedAt.get();
    return now - before < NOW_AND_THEN_NANOS || !triedAt.compareAndSet(before, now);
  }

  private void heard(@Nullable Throwable failure) {
    if (store instanceof ReconnectingNode node && !node.isOpen()) {
      return;
    }
    if (failure == null) {
      if (down.get() && down.getAndSet(false)) {
        LOG.log(System.Logger.Level.INFO, "{0} of the quorum is up again", this);
        events.accept(new NodeEvent.Up(toString()));
      }
    } else if (NodePoll.cause(failure) instanceof LockStoreException typed
        && typed.kind() == Kind.UNREACHABLE
        && !down.getAndSet(true)) {
      LOG.log(
          System.Logger.Level.WARNING, "{0} of the quorum is down: {1}", this, typed.getMessage());
      events.accept(new NodeEvent.Down(toString(), typed));
    }
  }

  /** Sends a call, and cancels it after the command time-out. Never throws. */
  <T> CompletableFuture<T> send(StoreContext context, Supplier<CompletionStage<T>> call) {
    if (unanswered.get() >= MOST_UNANSWERED) {
      return CompletableFuture.failedFuture(
          new LockStoreException(
              Kind.UNREACHABLE, MOST_UNANSWERED + " calls already wait for its answer"));
    }
    if (isHung(context)) {
      return CompletableFuture.failedFuture(
          new LockStoreException(
              Kind.UNREACHABLE,
              "it has not answered "
                  + MOST_GIVEN_UP
                  + " abandoned calls, and is only asked now and then until it does"));
    }
    CompletableFuture<T> sent;
    try {
      sent = call.get().toCompletableFuture();
    } catch (RuntimeException | Error e) { // else the node's next calls would wait
      return CompletableFuture.failedFuture(e);
    }
    sent.whenComplete(
        (value, failure) -> {
          heard(failure);
          if (failure == null) {
            givenUp.set(0);
            pendingReleases.answered(context);
            pendingLeaves.answered(context);
          }
        });
    if (sent.isDone()) {
      return sent;
    }
    unanswered.incrementAndGet();
    CompletableFuture<T> result = new CompletableFuture<>();
    Duration limit = context.commandTimeout();
    Scheduler.Scheduled timer =
        context
            .scheduler()
            .schedule(
                limit,
                () -> {
                  if (givenUp.incrementAndGet() == MOST_GIVEN_UP) {
                    triedAt.set(context.ticker().nanos());
                  }
                  result.completeExceptionally(
                      new LockStoreException(
                          Kind.TIMED_OUT, "no answer within " + Setting.written(limit)));
                  sent.cancel(true);
                });
    sent.whenComplete(
        (value, failure) -> {
          timer.cancel();
          unanswered.decrementAndGet();
          if (failure == null) {
            if (!result.complete(value) && value instanceof Watch watch) {
              watch.close(); // it began just when its time was over: nobody else has it
            }
          } else {
            result.completeExceptionally(failure);
          }
        });
    return result;
  }
}
