package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.spi.quorum.NodeSet;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A majority of both lists has a node in common with a majority of either")
class JointPolicyTest {
  private static final int ALL = 6;

  /** Two lists of up to all nodes. */
  private record Change(List<Integer> before, List<Integer> now) {
    QuorumPolicy joint() {
      return new JointPolicy(QuorumPolicy.majority(), List.of(now, before));
    }

    static QuorumPolicy alone(List<Integer> list) {
      return new JointPolicy(QuorumPolicy.majority(), List.of(list));
    }
  }

  private static List<Integer> list(long bits) {
    return new NodeSet(bits, ALL).nodes().boxed().toList();
  }

  private static Stream<NodeSet> quorums(QuorumPolicy policy) {
    return LongStream.range(0, 1L << ALL)
        .mapToObj(bits -> new NodeSet(bits, ALL))
        .filter(policy::isQuorum);
  }

  private static boolean mayBeApart(QuorumPolicy one, QuorumPolicy other) {
    List<NodeSet> theirs = quorums(other).toList();
    return quorums(one).anyMatch(a -> theirs.stream().anyMatch(b -> (a.bits() & b.bits()) == 0));
  }

  private static Stream<Change> changes() {
    List<List<Integer>> lists =
        LongStream.range(0, 1L << ALL)
            .filter(bits -> Long.bitCount(bits) >= 3)
            .mapToObj(JointPolicyTest::list)
            .toList();
    return lists.stream().flatMap(a -> lists.stream().map(b -> new Change(a, b)));
  }

  @Test
  @DisplayName("Of all lists of three to six nodes, whatever they have in common")
  void all() {
    long apart = 0;
    for (Change change : changes().toList()) {
      QuorumPolicy joint = change.joint();
      QuorumPolicy before = Change.alone(change.before);
      QuorumPolicy now = Change.alone(change.now);
      assertFalse(mayBeApart(joint, before), () -> change + ": clients with the list before");
      assertFalse(mayBeApart(joint, now), () -> change + ": clients with the new list");
      assertFalse(mayBeApart(joint, joint), () -> change + ": each other");
      if (mayBeApart(before, now)) {
        apart++;
      }
    }
    assertTrue(apart > 100, "without it majorities of both lists may be apart");
  }

  @Test
  @DisplayName("Lists that differ by one added or removed node do not need it")
  void byOne() {
    for (Change change : changes().toList()) {
      boolean isMore = change.now.containsAll(change.before);
      if (isMore && change.now.size() == change.before.size() + 1) {
        assertFalse(
            mayBeApart(Change.alone(change.before), Change.alone(change.now)), change::toString);
      }
    }
    Change replaced = new Change(List.of(0, 1, 2), List.of(0, 1, 3));
    assertTrue(
        mayBeApart(Change.alone(replaced.before), Change.alone(replaced.now)),
        "a node that takes another's place is two steps");
  }

  @Test
  @DisplayName("Times are those of the policy that it is made of")
  void times() {
    QuorumPolicy majority = QuorumPolicy.majority();
    QuorumPolicy joint = new Change(List.of(0, 1, 2), List.of(0, 1, 3)).joint();
    Duration lease = Duration.ofSeconds(7);
    assertEquals(majority.driftAllowance(lease), joint.driftAllowance(lease));
    assertEquals(majority.nodeTimeout(lease), joint.nodeTimeout(lease));
    assertEquals(
        majority.validity(lease, Duration.ofSeconds(1)),
        joint.validity(lease, Duration.ofSeconds(1)));
  }
}
