package dev.leasehold.controls;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The nodes' answers to one request, until there are enough. Thread-safe. */
final class AnswerRound<T> {
  private final int nodes;
  private final int needed;
  private final Predicate<T> isYes;
  private final List<T> yes = new ArrayList<>();
  private final List<T> no = new ArrayList<>();
  private int failed;
  private final CompletableFuture<AnswerRound<T>> ended = new CompletableFuture<>();

  AnswerRound(int nodes, int needed, Predicate<T> isYes) {
    this.nodes = nodes;
    this.needed = needed;
    this.isYes = isYes;
  }

  /** A node has answered, or failed. */
  void heard(@Nullable T answer, @Nullable Throwable failure) {
    boolean enough;
    synchronized (this) {
      if (ended.isDone()) {
        return;
      }
      if (answer == null) {
        failed++;
      } else {
        (isYes.test(answer) ? yes : no).add(answer);
      }
      enough = isWon() || no.size() > nodes - needed || yes.size() + no.size() + failed == nodes;
    }
    if (enough) {
      end();
    }
  }

  /** Stops waiting. */
  void end() {
    ended.complete(this);
  }

  CompletableFuture<AnswerRound<T>> ended() {
    return ended;
  }

  synchronized boolean isWon() {
    return yes.size() >= needed;
  }

  synchronized List<T> yes() {
    return List.copyOf(yes);
  }

  synchronized List<T> no() {
    return List.copyOf(no);
  }

  /**
   * {@code ifWon} if enough nodes said yes; {@code ifLost} if so many said no that yes is out of
   * reach.
   */
  <R> R choose(R ifWon, R ifLost) {
    if (isWon()) {
      return ifWon;
    }
    if (no().size() > nodes - needed) {
      return ifLost;
    }
    throw new LockStoreException(Kind.UNAVAILABLE, "too few nodes: " + this);
  }

  @Override
  public synchronized String toString() {
    return yes.size() + " yes, " + no.size() + " no, " + failed + " failed, of " + nodes;
  }
}
