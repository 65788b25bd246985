package dev.leasehold.redlock.model;

/**
 * All there is at one moment. Not to be changed.
 *
 * @param granted the largest token ever granted
 * @param crashes how many there may still be; jumps and repeats the same
 */
record State(ModelNode[] nodes, Round[] rounds, int granted, int crashes, int jumps, int repeats) {

  static State first(Rules rules) {
    ModelNode[] nodes = {ModelNode.empty(0), ModelNode.empty(0), ModelNode.empty(rules.ahead)};
    Round[] rounds = new Round[rules.allRounds()];
    java.util.Arrays.fill(rounds, Round.fresh(rules.renewals));
    return new State(nodes, rounds, ModelNode.LONG_AGO, rules.crashes, rules.jumps, rules.repeats);
  }

  State with(int index, ModelNode node) {
    ModelNode[] changed = nodes.clone();
    changed[index] = node;
    return new State(changed, rounds, granted, crashes, jumps, repeats);
  }

  State with(int index, Round round) {
    Round[] changed = rounds.clone();
    changed[index] = round;
    return new State(nodes, changed, granted, crashes, jumps, repeats);
  }

  State crashed() {
    return new State(nodes, rounds, granted, crashes - 1, jumps, repeats);
  }

  State jumped() {
    return new State(nodes, rounds, granted, crashes, jumps - 1, repeats);
  }

  State repeated() {
    return new State(nodes, rounds, granted, crashes, jumps, repeats - 1);
  }

  /** A round has got its token; those that had begun before it are overtaken. */
  State granted(int token) {
    Round[] changed = rounds.clone();
    for (int i = 0; i < changed.length; i++) {
      if (changed[i].isOpen()) {
        changed[i] = changed[i].overtake();
      }
    }
    return new State(nodes, changed, Math.max(granted, token), crashes, jumps, repeats);
  }
}
