package dev.leasehold.redlock;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * One attempt to get permits: requests slots, and if it is refused while a quorum would grant
 * others, requests some of those at random. It holds none in between.
 */
final class SlotRound {
  /** The limit of tries in one attempt; after it the attempt fails, and the engine tries again. */
  private static final int MOST_TRIES = 8;

  private static final long LEAST_DELAY_NANOS = 1_000_000;

  private final Quorum quorum;
  private final AcquireRequest asked;
  private final int wanted;
  private final int of;
  private final long begunAt;
  private final CompletableFuture<AcquireResult> result = new CompletableFuture<>();
  private volatile CompletableFuture<AcquireResult> current = result;
  private int tries;

  SlotRound(Quorum quorum, AcquireRequest asked, int wanted, int of) {
    this.quorum = quorum;
    this.asked = asked;
    this.wanted = wanted;
    this.of = of;
    this.begunAt = quorum.now();
  }

  /**
   * Begins.
   *
   * @param guess slots that are likely to be free; ignored if they are not as many as wanted
   */
  CompletableFuture<AcquireResult> start(List<Integer> guess) {
    result.whenComplete(
        (value, failure) -> {
          if (result.isCancelled()) {
            current.cancel(true);
          }
        });
    ask(guess.size() == wanted ? guess : some(all()));
    return result;
  }

  private List<Integer> all() {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < of; i++) {
      all.add(i);
    }
    return all;
  }

  private List<Integer> some(List<Integer> slots) {
    List<Integer> mixed = new ArrayList<>(slots);
    Collections.shuffle(mixed, new Random(quorum.context().random().nextLong()));
    return mixed.stream().limit(wanted).sorted().toList();
  }

  private void ask(List<Integer> slots) {
    QuorumSlots view =
        tries == 0 ? first(slots) : new QuorumSlots(slots, of, quorum.nodes().size());
    Duration since = Duration.ofNanos(quorum.now() - begunAt);
    AcquireRequest later =
        (tries > 0 ? asked.repeated() : asked).withWaited(asked.waited().plus(since));
    QuorumRound election = new QuorumRound(quorum.in(view, quorum.promised()), later);
    CompletableFuture<AcquireResult> votes = election.start();
    current = votes;
    if (result.isDone()) {
      votes.cancel(true); // the caller cancelled meanwhile
    }
    votes.whenComplete(
        (answer, failure) -> {
          if (failure != null) {
            result.completeExceptionally(failure);
          } else if (answer instanceof Granted granted) {
            // The engine counts the lease from its request; a later try's lease ends later by the
            // difference.
            boolean taken =
                result.complete(
                    new Granted(
                        granted.fence(),
                        granted.handOvers(),
                        granted.ttl().plus(since),
                        view.slots()));
            if (!taken) {
              election.withdraw(); // cancelled after this was won
            }
          } else {
            refused(view, answer);
          }
        });
  }

  /**
   * The slots that the token has or may have, if any, so that a repeated request gets the same
   * ones.
   */
  private QuorumSlots first(List<Integer> guess) {
    return quorum.tokenStates().viewOf(asked.key()) instanceof QuorumSlots known
            && known.isFor(wanted, of)
        ? known
        : new QuorumSlots(guess, of, quorum.nodes().size());
  }

  private void refused(QuorumSlots view, AcquireResult held) {
    List<Integer> others = view.others(quorum.voteCount());
    tries++;
    if (others.size() < wanted || tries == MOST_TRIES) {
      result.complete(held);
      return;
    }
    long most = LEAST_DELAY_NANOS << tries; // so that contenders in lockstep separate
    quorum
        .context()
        .scheduler()
        .schedule(
            Duration.ofNanos(quorum.context().random().nextLong(most)),
            () -> {
              if (!result.isDone()) {
                ask(some(others));
              }
            });
  }
}
