package dev.leasehold.redlock;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.redlock.VoteCount.Votes;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One attempt to get a quorum: a round of votes, and a few more if the vote is split. */
final class QuorumRound {
  /**
   * Further rounds after a split vote; after these the attempt fails, and the engine tries again.
   */
  private static final int MORE_ROUNDS = 3;

  private static final long LEAST_DELAY_NANOS = 2_000_000;
  private static final long LONGEST_ROUND_NANOS = 50_000_000;

  /** When a waiter tries again that lost a repeatedly split vote and woke no other. */
  private static final Duration LOOKS_AGAIN = Duration.ofMillis(250);

  private final Quorum quorum;
  private final AcquireRequest asked;
  private final Duration nodeTtl;
  private final Duration asksFor;
  private final long begunAt;
  private final CompletableFuture<AcquireResult> result = new CompletableFuture<>();
  private int rounds;

  /** The token state of the current round. Written before the round begins. */
  private volatile @Nullable TokenState current;

  QuorumRound(Quorum quorum, AcquireRequest asked) {
    this.quorum = quorum;
    this.asked = asked;
    this.nodeTtl = quorum.nodeTtl(asked.ttl());
    this.asksFor = quorum.nodeTtl(asked.ttl(), asked.atLeast());
    this.begunAt = quorum.now();
  }

  CompletableFuture<AcquireResult> start() {
    result.whenComplete((value, failure) -> ended());
    if (asked.ifHeld() == IfHeld.ENQUEUE && quorum.isFenced()) {
      quorum
          .arrivals()
          .ahead(quorum, nodeTtl)
          .thenAccept(this::round)
          .whenComplete(
              (begun, failure) -> {
                if (failure != null) {
                  result.completeExceptionally(NodePoll.cause(failure));
                }
              });
    } else {
      round(OptionalLong.empty());
    }
    return result;
  }

  /** If the caller has cancelled, its next attempt must not share this round's token state. */
  private void ended() {
    if (result.isCancelled()) {
      withdraw();
    }
  }

  /** Gives back what was won if the caller is gone. */
  void withdraw() {
    TokenState tokenState = current;
    if (tokenState != null) {
      quorum.withdraw(tokenState);
    }
  }

  /**
   * Requests votes.
   *
   * @param ahead by how much the quorum's time is ahead, known if the request may queue
   */
  private void round(OptionalLong ahead) {
    long sentAt = rounds == 0 ? begunAt : quorum.now();
    TokenState tokenState = quorum.toTake(asked.key(), asked.again() || rounds > 0);
    current = tokenState;
    if (result.isDone()) {
      ended();
      return;
    }
    AcquireRequest request =
        new AcquireRequest(
            tokenState.key,
            asksFor,
            asked.ifHeld(),
            tokenState.round() > 1,
            Duration.ZERO,
            asked.waited().plusNanos(sentAt - begunAt),
            quorum.isFenced() ? asked.handOvers() : 0,
            tokenState.origin,
            asked.asksWithin(),
            place(ahead));
    long proposal = proposal(ahead, sentAt);
    quorum
        .<AcquireResult, Votes>ask(
            nodeTtl, this::judge, node -> tokenState.acquire(node, request, proposal))
        .whenComplete(
            (votes, failure) -> {
              if (votes instanceof Votes.Won won) {
                won(tokenState, won, sentAt, proposal);
              } else if (votes instanceof Votes.Lost lost) {
                lost(tokenState, lost, sentAt, ahead);
              } else {
                failed(tokenState, failure);
              }
            });
  }

  /** At least the quorum's time, so that it also determines a new waiter's place. */
  private long proposal(OptionalLong ahead, long sentAt) {
    if (!quorum.isFenced()) {
      return GrantedNumbers.NONE.last();
    }
    long proposal = quorum.clock().propose(sentAt);
    return ahead.isEmpty()
        ? proposal
        : Math.max(proposal, ahead.getAsLong() + ArrivalClock.micros(sentAt));
  }

  /** When the caller arrived, in the quorum's time: the same in each request and on all nodes. */
  private OptionalLong place(OptionalLong ahead) {
    long cameAt = begunAt - asked.waited().toNanos();
    return ahead.isEmpty()
        ? ahead
        : OptionalLong.of(ahead.getAsLong() + ArrivalClock.micros(cameAt));
  }

  private Optional<Votes> judge(NodeAnswers<AcquireResult> answers) {
    return quorum
        .voteCount()
        .votes(answers)
        .filter(
            votes ->
                votes instanceof Votes.Won
                    || answers.isLast()
                    || quorum.view().isLostBefore(quorum.voteCount()));
  }

  private void failed(TokenState tokenState, Throwable failure) {
    quorum.withdraw(tokenState);
    result.completeExceptionally(failure);
  }

  private void lost(TokenState tokenState, Votes.Lost lost, long sentAt, OptionalLong ahead) {
    boolean isOneOfSeveral = quorum.view().isOneOfSeveral();
    if (lost.grants().isEmpty() && !isOneOfSeveral) {
      refused(tokenState);
      result.complete(lost.held());
      return;
    }
    // A waiter tries again, or leaves the queue, which wakes the next waiter; so no wake-up is
    // lost.
    boolean isQuiet = quorum.isFair() && asked.ifHeld() == IfHeld.ENQUEUE;
    if (isQuiet) {
      tokenState.giveBackBy(NodeReleases.WITHDRAWN);
    }
    quorum.withdraw(tokenState);
    if (rounds == MORE_ROUNDS || isOneOfSeveral) {
      result.complete(isQuiet ? soon(lost.held()) : lost.held());
      return;
    }
    rounds++;
    // Longer each time, so that contenders in lockstep separate. Bounded, since a round that waited
    // for an unresponsive node does not show how long the others take.
    long round = Math.min(2 * (quorum.now() - sentAt), LONGEST_ROUND_NANOS);
    long most = Math.max(LEAST_DELAY_NANOS, round) << rounds;
    Duration delay = Duration.ofNanos(quorum.context().random().nextLong(most));
    quorum
        .context()
        .scheduler()
        .schedule(
            delay,
            () -> {
              if (!result.isDone()) {
                round(ahead);
              }
            });
  }

  /** If all contenders gave back quietly, the lock is free and no waiter is awake. */
  private static Held soon(Held held) {
    return held.retryAfter().compareTo(LOOKS_AGAIN) > 0
        ? new Held(LOOKS_AGAIN, held.resolution())
        : held;
  }

  /**
   * Other clients hold the lock. A node that has not answered yet may still grant: then it is
   * freed, and the next request has a new token, unless another round has begun meanwhile.
   */
  private void refused(TokenState tokenState) {
    int round = tokenState.round();
    tokenState.turns.whenHeard(
        () -> {
          if (!quorum.mayBeTaken(tokenState)) {
            quorum.tokenStates().refused(tokenState, round);
          } else if (tokenState.giveUp(round)) {
            quorum.withdraw(tokenState);
          }
        });
  }

  private void won(TokenState tokenState, Votes.Won won, long sentAt, long proposal) {
    if (!isValid(sentAt)) {
      tooLate(tokenState, sentAt);
      return;
    }
    if (!quorum.isFenced()) {
      granted(tokenState, GrantedNumbers.NONE, sentAt);
      return;
    }
    GrantedNumbers run = GrantedNumbers.of(won);
    quorum.clock().seen(run.fence(), proposal, sentAt);
    long kept = run.keptByQuorum(won, quorum.voteCount());
    if (kept >= run.fence()) {
      granted(tokenState, run.endingAt(kept), sentAt);
    } else {
      writeBack(tokenState, run, won, sentAt);
    }
  }

  /**
   * No quorum has kept the largest vote: it is valid once a quorum that holds the key has kept it.
   */
  private void writeBack(TokenState tokenState, GrantedNumbers run, Votes.Won won, long sentAt) {
    NodeSet agreed = GrantedNumbers.keeping(won, run.last());
    quorum
        .<RenewResult, RenewResult>ask(
            asked.ttl(),
            quorum.voteCount()::renewal,
            node ->
                agreed.contains(node.index)
                    ? CompletableFuture.completedFuture(RenewResult.RENEWED)
                    : tokenState.raise(node, run))
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                failed(tokenState, failure);
              } else if (answer == RenewResult.RENEWED && isValid(sentAt)) {
                granted(tokenState, run, sentAt);
              } else {
                tooLate(tokenState, sentAt);
              }
            });
  }

  private boolean isValid(long sentAt) {
    Duration elapsed = Duration.ofNanos(quorum.now() - sentAt);
    Duration validity = quorum.policy().validity(nodeTtl, elapsed);
    return !validity.isNegative() && !validity.isZero();
  }

  private void tooLate(TokenState tokenState, long sentAt) {
    failed(
        tokenState,
        new LockStoreException(
            Kind.TIMED_OUT,
            "the quorum's votes took "
                + Setting.written(Duration.ofNanos(quorum.now() - sentAt))
                + ", as long as the lease lasts"));
  }

  private void granted(TokenState tokenState, GrantedNumbers run, long sentAt) {
    if (!tokenState.win(run.last(), quorum.keptFor(asked.atLeast()))) {
      result.completeExceptionally(
          new LockStoreException(Kind.TIMED_OUT, "the attempt was given up meanwhile"));
      return;
    }
    if (tokenState.isInLines()) {
      QuorumWaiters.takeOthers(quorum, tokenState);
    }
    // The engine counts the lease from its request; a later round's lease ends later by the
    // difference.
    Duration later = Duration.ofNanos(sentAt - begunAt);
    result.complete(run.granted(asked.ttl().plus(later)));
  }
}
