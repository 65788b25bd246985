package dev.leasehold.redlock;

import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.redlock.VoteCount.Votes;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * The fencing numbers of a grant by a quorum.
 *
 * @param fence the holder's token, the largest vote
 * @param last the last number that may be used; negative if there are none at all
 * @param wanted whether others wait for the lock on a node, as far as its lease can be recalled
 */
record GrantedNumbers(long fence, long last, boolean wanted) {
  /** Without fencing. */
  static final GrantedNumbers NONE = new GrantedNumbers(-1, -1, false);

  /** From the largest vote to the largest number that any of the nodes kept. */
  static GrantedNumbers of(Votes.Won won) {
    return new GrantedNumbers(
        won.grants().nodes().mapToLong(i -> vote(won, i).fence().orElse(0)).max().orElse(0),
        lasts(won).max().orElse(0),
        won.grants().nodes().anyMatch(i -> vote(won, i).wanted()));
  }

  private static LongStream lasts(Votes.Won won) {
    return won.grants().nodes().mapToLong(i -> Fences.last(vote(won, i)));
  }

  private static Granted vote(Votes.Won won, int node) {
    return (Granted) won.answers().values().get(node).orElseThrow();
  }

  /** The nodes that have kept at least this number. */
  static NodeSet keeping(Votes.Won won, long number) {
    return NodeSet.where(
        won.grants().outOf(), i -> won.grants().contains(i) && Fences.last(vote(won, i)) >= number);
  }

  /** The largest number that a quorum has kept. */
  long keptByQuorum(Votes.Won won, VoteCount count) {
    return lasts(won).filter(n -> count.isQuorum(keeping(won, n))).max().orElse(0);
  }

  GrantedNumbers endingAt(long number) {
    return new GrantedNumbers(fence, number, wanted);
  }

  int handOvers() {
    return (int) (last - fence);
  }

  Granted granted(Duration ttl) {
    return last < 0
        ? new Granted(OptionalLong.empty(), ttl)
        : new Granted(OptionalLong.of(fence), handOvers(), ttl, List.of(), wanted);
  }
}
