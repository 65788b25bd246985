package dev.leasehold.redlock.model;

import java.util.function.Consumer;

/** How much may happen in a model, in ticks and in times, and what its protocol does. */
final class Rules {
  static final int NODES = 3;

  /** The longest lease, and the only one. */
  int lease = 3;

  /** How much faster than a client's clock a node's may run during one lease. */
  int drift = 1;

  /** What a client takes off its lease for that. */
  int allowance = 1;

  /** For how long a node that lost its data does not vote. */
  int quarantine = 3;

  /** So many votes are enough. */
  int quorum = 2;

  /** From when a client counts its lease. */
  Counting counting = Counting.SENDING;

  /** The clients for which a node frees the lock. */
  Freeing freeing = Freeing.HOLDER;

  /** Rounds of the first client and of the second. */
  int[] rounds = {1, 1};

  /** How often each round may renew. */
  int renewals;

  /** How often, in all, a node loses its data. */
  int crashes;

  /** How often a node's clock jumps past the end of a lease. */
  int jumps;

  /** How often a message arrives twice. */
  int repeats;

  /** By how much one node's wall clock is ahead of the other two's. */
  int ahead;

  /** How many ticks ahead of the clocks the second client's proposals are; the first has none. */
  int guess = 1;

  /** What has to hold. */
  Scope scope = Scope.ALL;

  /** From when a client counts its lease. */
  enum Counting {
    /** From before the first byte. */
    SENDING,
    /** From the first answer. */
    FIRST_ANSWER,
    /** From the decision: the time that the round took is ignored. */
    DECISION
  }

  /** The clients for which a node frees the lock. */
  enum Freeing {
    HOLDER,
    ANYBODY
  }

  /** What has to hold. */
  enum Scope {
    /** Inside the fault model: no two holders, and each token larger than all before. */
    ALL,
    /** Outside of it: a round that began after a grant gets a larger token. */
    FENCING
  }

  /** The protocol as it is, with this much more or less. */
  static Rules with(Consumer<Rules> change) {
    Rules rules = new Rules();
    change.accept(rules);
    return rules;
  }

  /** For as long a client may rely on a lease. */
  int validity() {
    return lease - allowance;
  }

  int proposal(int round) {
    return round < rounds[0] ? ModelNode.LONG_AGO : guess * ModelNode.TICK;
  }

  int allRounds() {
    return rounds[0] + rounds[1];
  }

  /** Whether a round is the first of its client. */
  boolean isFirst(int round) {
    return round == 0 || round == rounds[0];
  }
}
