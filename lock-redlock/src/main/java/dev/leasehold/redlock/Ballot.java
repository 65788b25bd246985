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

/**
 * One token on all nodes: what each may know of it, and one call at a time to each. Once a release
 * was asked for, no node is asked to take the token any more. Thread-safe.
 */
final class Ballot {
  /** Who has a quorum comes before all who wait at the other nodes. */
  private static final Duration HOLDERS_PLACE = Duration.ofDays(36_500);

  /** The engine's token, under which it stands in line whatever it asks with. */
  final LeaseKey origin;

  /** What the nodes see. */
  final LeaseKey key;

  /** What it is a lease of. */
  final View view;

  /** One call at a time to each node. */
  final Turns turns;

  private final Fences fences;
  private final Lifespan lifespan;
  private final StoreContext context;
  private final Consumer<Ballot> gone;
  private final BooleanSupplier stopped;
  private final ReentrantLock mutex = new ReentrantLock();
  private final List<Trace> traces;

  /** Nodes that {@link PendingCalls} has it for. */
  private NodeSet owing;

  /** Nodes that did not answer when they were asked to take it: they still may. */
  private NodeSet silent;

  private int round;
  private boolean released;

  private volatile boolean inLines;
  private volatile boolean won;

  /** The last number of its run: what a node that takes it again has to keep. */
  private volatile long fence;

  private volatile GivingBack givingBack = GivingBack.FREE;
  private volatile GivingBack ifLost = GivingBack.FREE;

  Ballot(
      LeaseKey origin,
      LeaseKey key,
      View view,
      int nodes,
      StoreContext context,
      Consumer<Ballot> gone,
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

  /** Another manager's token, or one of another time: any node may have it, for however long. */
  Ballot unknown() {
    traces.replaceAll(trace -> Trace.PERHAPS);
    silent = NodeSet.all(silent.outOf());
    return this;
  }

  /** Whether it may stand in lines. */
  boolean isInLines() {
    return inLines;
  }

  /** Every node was asked to take it out of its line. */
  void leftLines() {
    inLines = false;
    endIfGone();
  }

  boolean hasWon() {
    return won;
  }

  /** Whether it is a lease that nobody released, and that ended long ago. */
  boolean isOver(long now) {
    mutex.lock();
    try {
      return won && !released && !inLines && lifespan.isSurelyOver(now);
    } finally {
      mutex.unlock();
    }
  }

  /** Begins another round with this token; false if it is not wanted any more. */
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

  /** Gives the token up if this is still its last round; false if not. */
  boolean giveUp(int lastRound) {
    mutex.lock();
    try {
      released |= round == lastRound;
      return round == lastRound;
    } finally {
      mutex.unlock();
    }
  }

  /** For how long nodes are asked to keep it. */
  Lifespan lifespan() {
    return lifespan;
  }

  /** Its fencing numbers. */
  Fences fences() {
    return fences;
  }

  /**
   * It has the lock, with numbers up to this one; negative for none. False if it was released
   * meanwhile: then it has not.
   *
   * @param ifLost how what is left of it is given back once a quorum knows it no more
   */
  boolean win(long last, GivingBack ifLost) {
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

  /** Asks a node to take the token; refused at once after a release. */
  CompletableFuture<AcquireResult> acquire(Member node, AcquireRequest request, long proposal) {
    lifespan.lasts(request.ttl());
    return turns.next(node, () -> send(node, request, proposal));
  }

  private CompletableFuture<AcquireResult> send(
      Member node, AcquireRequest request, long proposal) {
    if (!mayTake(node, request.ifHeld())) {
      return CompletableFuture.failedFuture(new IllegalStateException("given up already"));
    }
    // Known before anybody is told: who hears of it asks what the nodes have.
    return node.send(context, () -> view.vote(node, request, proposal))
        .whenComplete(
            (result, failure) -> {
              if (result instanceof AcquireResult.Granted vote) {
                fences.voted(node, vote);
                became(node, Trace.GRANTED);
              } else if (result != null) {
                became(node, mayTakeYet(node) ? Trace.PERHAPS : Trace.NOTHING);
              } else if (Poll.isSilence(failure)) {
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

  /** A renewal was confirmed, but this node has lost the token: it may take it again. */
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

  /** It was won: whether this node has granted it too, or does so now. */
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

  /** From now on the token is not wanted any more. */
  void close() {
    mutex.lock();
    try {
      released = true;
    } finally {
      mutex.unlock();
    }
    endIfGone();
  }

  /** From now on it is given back so. */
  void giveBackBy(GivingBack way) {
    givingBack = way;
  }

  /** A quorum knows it no more. */
  void lost() {
    givingBack = ifLost;
  }

  /** Frees all nodes that may have the token; those that do not answer owe it. */
  void releaseAll(List<Member> nodes, Consumer<Released> heard) {
    close();
    for (Member node : nodes) {
      release(node)
          .whenComplete(
              (result, failure) -> {
                heard.accept(new Released(node, result, failure));
                if (failure != null) {
                  owe(node);
                }
              });
    }
  }

  /** Frees one node, if it may have the token. */
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

  /** Whether a node has let go of the token by itself; one that was silent may take it yet. */
  boolean hasExpired(Member node) {
    return !mayTakeYet(node) && lifespan.isSurelyOver(context.ticker().nanos());
  }

  /** Whether it did not answer a question: what has kept that may bring it yet. */
  private boolean mayTakeYet(Member node) {
    mutex.lock();
    try {
      return silent.contains(node.index);
    } finally {
      mutex.unlock();
    }
  }

  /** The node has nothing of it any more, or will have nothing soon. */
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
    mutex.lock();
    try {
      Trace trace = traces.get(node.index);
      return trace == Trace.PERHAPS || trace == Trace.GRANTED;
    } finally {
      mutex.unlock();
    }
  }

  private boolean isGrantedBy(Member node) {
    mutex.lock();
    try {
      return traces.get(node.index) == Trace.GRANTED;
    } finally {
      mutex.unlock();
    }
  }
}
