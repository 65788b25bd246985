package dev.leasehold.redlock;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.quorum.NodeSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One token on all nodes: what each node may hold of it, with one call at a time to each. After a
 * release has been requested, no node is asked to grant the token any more. Thread-safe.
 */
final class TokenState {
  /** A client that has a quorum goes ahead of all waiters at the remaining nodes. */
  private static final Duration HOLDERS_PLACE = Duration.ofDays(36_500);

  /** The engine's token. The waiter is queued under it, whatever token a round uses. */
  final LeaseKey origin;

  /** The name and token that the nodes see. */
  final LeaseKey key;

  /** The kind of lock that it is for. */
  final NodeView view;

  /** Serializes the calls to each node. */
  final Turns turns;

  private final Fences fences;
  private final Lifespan lifespan;
  private final StoreContext context;
  private final Consumer<TokenState> gone;
  private final BooleanSupplier stopped;
  private final ReentrantLock mutex = new ReentrantLock();
  private final List<Trace> traces;

  /** Nodes whose {@link PendingCalls} contain this token state's release. */
  private NodeSet owing;

  /** Nodes that did not answer a request to grant it: they may still do so. */
  private NodeSet silent;

  private int round;
  private boolean released;

  private volatile boolean inLines;
  private volatile boolean won;

  /** The last number of its run, which a node that grants it again has to keep. */
  private volatile long fence;

  private volatile NodeReleases givingBack = NodeReleases.FREE;
  private volatile NodeReleases ifLost = NodeReleases.FREE;

  TokenState(
      LeaseKey origin,
      LeaseKey key,
      NodeView view,
      int nodes,
      StoreContext context,
      Consumer<TokenState> gone,
      BooleanSupplier stopped) {
    this.origin = origin;
    this.key = key;
    this.view = view;
    this.turns = new Turns(nodes);
    this.traces = new ArrayList<>(Collections.nCopies(nodes, Trace.NEVER));
    this.owing = NodeSet.none(nodes);
    this.silent = NodeSet.none(nodes);
    this.fences = new Fences(nodes, view);
    this.lifespan = new Lifespan(context.ticker());
    this.context = context;
    this.gone = gone;
    this.stopped = stopped;
  }

  /** For a token that is not known here: any node may hold it, for an unknown time. */
  TokenState unknown() {
    traces.replaceAll(trace -> Trace.PERHAPS);
    silent = NodeSet.all(silent.outOf());
    return this;
  }

  /** Whether it may be in the nodes' queues. */
  boolean isInLines() {
    return inLines;
  }

  /** Every node has been asked to remove it from its queue. */
  void leftLines() {
    inLines = false;
    endIfGone();
  }

  boolean hasWon() {
    return won;
  }

  /** Whether it is a lease that was never released and ended long ago. */
  boolean isOver(long now) {
    mutex.lock();
    try {
      return won && !released && !inLines && lifespan.isSurelyOver(now);
    } finally {
      mutex.unlock();
    }
  }

  /** Begins another round with this token; false if it was released. */
  boolean begin() {
    mutex.lock();
    try {
      round++;
      return !released;
    } finally {
      mutex.unlock();
    }
  }

  int round() {
    mutex.lock();
    try {
      return round;
    } finally {
      mutex.unlock();
    }
  }

  /** Releases the token if this is still its last round; returns whether it was. */
  boolean giveUp(int lastRound) {
    mutex.lock();
    try {
      released |= round == lastRound;
      return round == lastRound;
    } finally {
      mutex.unlock();
    }
  }

  /** For how long nodes were asked to keep it. */
  Lifespan lifespan() {
    return lifespan;
  }

  /** Its fencing numbers. */
  Fences fences() {
    return fences;
  }

  /**
   * Records that it won, with numbers up to {@code last} (negative for none); false if it was
   * released meanwhile.
   *
   * @param ifLost how the remaining nodes are freed if the quorum is lost
   */
  boolean win(long last, NodeReleases ifLost) {
    mutex.lock();
    try {
      this.ifLost = ifLost;
      fence = last;
      fences.used(last);
      won = !released;
      return won;
    } finally {
      mutex.unlock();
    }
  }

  /** Asks a node to grant the token; fails at once after a release. */
  CompletableFuture<AcquireResult> acquire(Member node, AcquireRequest request, long proposal) {
    lifespan.lasts(request.ttl());
    return turns.next(node, () -> send(node, request, proposal));
  }

  private CompletableFuture<AcquireResult> send(
      Member node, AcquireRequest request, long proposal) {
    if (!mayTake(node, request.ifHeld())) {
      return CompletableFuture.failedFuture(new IllegalStateException("given up already"));
    }
    // Recorded before the future completes: its callbacks read what the nodes hold.
    return node.send(context, () -> view.vote(node, request, proposal))
        .whenComplete(
            (result, failure) -> {
              if (result instanceof AcquireResult.Granted vote) {
                fences.voted(node, vote);
                became(node, Trace.GRANTED);
              } else if (result != null) {
                became(node, mayTakeYet(node) ? Trace.PERHAPS : Trace.NOTHING);
              } else if (NodePoll.isSilence(failure)) {
                wasSilent(node);
              }
            });
  }

  /** Asks a node to keep the numbers of a run. */
  CompletableFuture<RenewResult> raise(Member node, GrantedNumbers run) {
    return turns.next(node, () -> node.send(context, () -> fences.raise(node, key, run)));
  }

  private boolean mayTake(Member node, IfHeld ifHeld) {
    mutex.lock();
    try {
      if (released) {
        return false;
      }
      traces.set(node.index, Trace.PERHAPS);
      inLines |= ifHeld == IfHeld.ENQUEUE && !won;
      return true;
    } finally {
      mutex.unlock();
    }
  }

  private void wasSilent(Member node) {
    mutex.lock();
    try {
      silent = silent.with(node.index);
    } finally {
      mutex.unlock();
    }
  }

  /** Asks a node that has lost the token to grant it again, once a quorum has renewed it. */
  void takeAgain(Member node) {
    if (!won) {
      return; // nothing is known of this grant
    }
    acquire(node, again(), fence);
  }

  private AcquireRequest again() {
    return new AcquireRequest(key, lifespan.rest(), IfHeld.REFUSE)
        .repeated()
        .withWaited(HOLDERS_PLACE)
        .withWaiter(origin);
  }

  /** After a win: asks a node that has not granted it yet; returns whether it has now. */
  CompletableFuture<Boolean> takeToo(Member node) {
    CompletableFuture<Boolean> granted =
        turns.next(
            node,
            () ->
                isGrantedBy(node)
                    ? CompletableFuture.completedFuture(true)
                    : send(node, again(), fence).thenApply(result -> isGrantedBy(node)));
    return granted.exceptionally(failure -> false);
  }

  private void became(Member node, Trace trace) {
    mutex.lock();
    try {
      traces.set(node.index, trace);
    } finally {
      mutex.unlock();
    }
    if (trace == Trace.NOTHING) {
      endIfGone();
    }
  }

  private void endIfGone() {
    mutex.lock();
    try {
      boolean any = traces.contains(Trace.PERHAPS) || traces.contains(Trace.GRANTED);
      if (!released || any || (inLines && !won)) {
        return;
      }
    } finally {
      mutex.unlock();
    }
    gone.accept(this);
  }

  /** Marks the token as no longer wanted. */
  void close() {
    mutex.lock();
    try {
      released = true;
    } finally {
      mutex.unlock();
    }
    endIfGone();
  }

  /** Sets how it is given back from now on. */
  void giveBackBy(NodeReleases way) {
    givingBack = way;
  }

  /** No quorum holds it any more. */
  void lost() {
    givingBack = ifLost;
  }

  /** Frees all nodes that may hold the token; repeated to those that do not confirm it. */
  void releaseAll(List<Member> nodes, @Nullable NodePoll<ReleaseResult, ?> poll) {
    close();
    for (Member node : nodes) {
      release(node)
          .whenComplete(
              (result, failure) -> {
                if (poll != null) {
                  poll.heard(node.index, result, failure);
                }
                if (failure != null) {
                  owe(node);
                }
              });
    }
  }

  /** Frees one node, if it may hold the token. */
  CompletableFuture<ReleaseResult> release(Member node) {
    return turns.next(
        node,
        () -> {
          if (!mayHold(node)) {
            return CompletableFuture.completedFuture(ReleaseResult.NOT_OWNER);
          }
          return node.send(
                  context, () -> givingBack.on(node, key, fences, context.ticker().nanos()))
              .whenComplete(
                  (result, failure) -> {
                    if (failure == null) {
                      became(node, Trace.NOTHING);
                    }
                  });
        });
  }

  private void owe(Member node) {
    mutex.lock();
    try {
      if (stopped.getAsBoolean() || owing.contains(node.index)) {
        return;
      }
      owing = owing.with(node.index);
    } finally {
      mutex.unlock();
    }
    node.pendingReleases.add(context, new PendingRelease(this));
  }

  /** Whether it has surely expired on a node; one that did not answer may still grant it. */
  boolean hasExpired(Member node) {
    return !mayTakeYet(node) && lifespan.isSurelyOver(context.ticker().nanos());
  }

  /** Whether the node did not answer a request, and so may still carry it out. */
  private boolean mayTakeYet(Member node) {
    mutex.lock();
    try {
      return silent.contains(node.index);
    } finally {
      mutex.unlock();
    }
  }

  /** The node holds nothing of it any more, or soon will not. */
  void isEven(Member node) {
    mutex.lock();
    try {
      owing = owing.without(node.index);
    } finally {
      mutex.unlock();
    }
    became(node, Trace.NOTHING);
  }

  boolean mayHold(Member node) {
    Trace trace = trace(node);
    return trace == Trace.PERHAPS || trace == Trace.GRANTED;
  }

  private boolean isGrantedBy(Member node) {
    return trace(node) == Trace.GRANTED;
  }

  private Trace trace(Member node) {
    mutex.lock();
    try {
      return traces.get(node.index);
    } finally {
      mutex.unlock();
    }
  }
}
