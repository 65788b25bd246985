package dev.leasehold.redlock.model;

import java.util.List;

/**
 * A lock while the list of nodes is changed: one round of votes of each client, by the list before,
 * by a majority of both, or by the new list. Clients of the new list alone begin once those of the
 * list before have ended.
 */
final class ChangeModel extends SmallModel {

  /** Which lists a client goes by. */
  enum Lists {
    BEFORE,
    BOTH,
    NOW
  }

  /** What may be wrong. */
  enum Fault {
    NONE,
    /** Clients of the new list begin while those of the list before hold locks. */
    STEP_LEFT_OUT,
    /** A client with both lists is content with a majority of the new one. */
    ONE_LIST,
    /** A client with both lists writes the largest vote back to a majority of the new one. */
    WRITTEN_BACK_TO_ONE
  }

  /** How far a round is. */
  private enum Phase {
    FRESH,
    VOTING,
    RAISING,
    HOLDING,
    OVER
  }

  // Of a client, from its offset.
  private static final int PHASE = 0;
  private static final int ASKED = 1;
  private static final int HEARD = 2;
  private static final int KEPT = 3;
  private static final int TOKEN = 4;
  private static final int VOTE = 5;
  // Of a node: its holder, and the last number that it gave.
  private static final int HOLDER = 0;
  private static final int FENCE = 1;
  private static final int NODE = 2;

  private final List<Lists> clients;
  private final int before;
  private final int now;
  private final Fault fault;
  private final int nodes;
  private final int client;
  private final int grantedAt;

  /**
   * A model.
   *
   * @param before the list before, a bit for each node
   * @param now the new list
   */
  ChangeModel(List<Lists> clients, int before, int now, Fault fault) {
    this(clients, before, now, fault, Integer.SIZE - Integer.numberOfLeadingZeros(before | now));
  }

  private ChangeModel(List<Lists> clients, int before, int now, Fault fault, int nodes) {
    super(clients.size() * (VOTE + nodes) + nodes * NODE + 1, 0);
    this.clients = clients;
    this.before = before;
    this.now = now;
    this.fault = fault;
    this.nodes = nodes;
    this.client = VOTE + nodes;
    this.grantedAt = clients.size() * client + nodes * NODE;
  }

  @Override
  byte[] first() {
    byte[] first = new byte[grantedAt + 1];
    first[node(nodes - 1) + FENCE] = 2; // the clock of a new node is ahead
    return first;
  }

  private int node(int n) {
    return clients.size() * client + n * NODE;
  }

  private static Phase phase(byte[] s, int at) {
    return Phase.values()[s[at + PHASE]];
  }

  private static void become(byte[] s, int at, Phase phase) {
    s[at + PHASE] = (byte) phase.ordinal();
  }

  private static boolean isMajority(int some, int list) {
    return Integer.bitCount(some & list) > Integer.bitCount(list) / 2;
  }

  private boolean isQuorum(int some, int c, Fault ofOne) {
    return switch (clients.get(c)) {
      case BEFORE -> isMajority(some, before);
      case NOW -> isMajority(some, now);
      case BOTH -> isMajority(some, now) && (fault == ofOne || isMajority(some, before));
    };
  }

  private boolean mayBegin(byte[] s, int c) {
    if (clients.get(c) != Lists.NOW || fault == Fault.STEP_LEFT_OUT) {
      return true;
    }
    for (int other = 0; other < clients.size(); other++) {
      if (clients.get(other) == Lists.BEFORE && phase(s, other * client) != Phase.OVER) {
        return false;
      }
    }
    return true;
  }

  @Override
  void steps(byte[] s) {
    for (int c = 0; c < clients.size(); c++) {
      int at = c * client;
      Phase phase = phase(s, at);
      if (phase == Phase.FRESH && mayBegin(s, c)) {
        byte[] asks = s.clone();
        become(asks, at, Phase.VOTING);
        asks[at + ASKED] =
            (byte)
                switch (clients.get(c)) {
                  case BEFORE -> before;
                  case BOTH -> before | now;
                  case NOW -> now;
                };
        next(asks);
      } else if (phase != Phase.FRESH && phase != Phase.OVER) {
        byte[] over = s.clone(); // given back, given up, or at its end
        become(over, at, Phase.OVER);
        next(over);
      }
      for (int n = 0; n < nodes && phase != Phase.FRESH; n++) {
        messages(s, c, n);
      }
    }
  }

  /** What comes to a node, or from it. */
  private void messages(byte[] s, int c, int n) {
    int at = c * client;
    int node = node(n);
    Phase phase = phase(s, at);
    if (has(s[at + ASKED], n)) {
      byte[] arrived = s.clone();
      arrived[at + ASKED] &= (byte) ~(1 << n);
      if (s[node + HOLDER] == 0) {
        arrived[node + HOLDER] = (byte) (c + 1);
        arrived[node + FENCE]++;
        arrived[at + VOTE + n] = arrived[node + FENCE];
      }
      next(arrived);
    }
    boolean holds = s[node + HOLDER] == c + 1;
    if (phase == Phase.OVER && (holds || has(s[at + ASKED], n))) {
      byte[] freed = s.clone(); // a release comes after what was asked before
      freed[at + ASKED] &= (byte) ~(1 << n);
      freed[node + HOLDER] = holds ? 0 : s[node + HOLDER];
      next(freed);
    }
    if (phase == Phase.VOTING && s[at + VOTE + n] > 0 && !has(s[at + HEARD], n)) {
      byte[] heard = s.clone();
      heard[at + HEARD] |= (byte) (1 << n);
      heard(heard, c);
    }
    if (phase == Phase.RAISING && has(s[at + HEARD], n) && !has(s[at + KEPT], n) && holds) {
      byte[] raised = s.clone();
      raised[node + FENCE] = (byte) Math.max(s[node + FENCE], s[at + TOKEN]);
      next(raised); // its answer is lost
      byte[] kept = raised.clone();
      kept[at + KEPT] |= (byte) (1 << n);
      kept(kept, c);
    }
  }

  private void heard(byte[] s, int c) {
    int at = c * client;
    if (!isQuorum(s[at + HEARD], c, Fault.ONE_LIST)) {
      next(s);
      return;
    }
    for (int n = 0; n < nodes; n++) {
      if (has(s[at + HEARD], n)) {
        s[at + TOKEN] = (byte) Math.max(s[at + TOKEN], s[at + VOTE + n]);
      }
    }
    for (int n = 0; n < nodes; n++) {
      if (has(s[at + HEARD], n) && s[at + VOTE + n] == s[at + TOKEN]) {
        s[at + KEPT] |= (byte) (1 << n);
      }
    }
    become(s, at, Phase.RAISING);
    kept(s, c);
  }

  private void kept(byte[] s, int c) {
    int at = c * client;
    boolean isKept =
        isQuorum(
            s[at + KEPT], c, fault == Fault.ONE_LIST ? Fault.ONE_LIST : Fault.WRITTEN_BACK_TO_ONE);
    if (isKept) {
      become(s, at, Phase.HOLDING);
      for (int other = 0; other < clients.size(); other++) {
        if (other != c && phase(s, other * client) == Phase.HOLDING) {
          broken("EX-1");
        }
      }
      if (s[at + TOKEN] <= s[grantedAt]) {
        broken("FE-1");
      }
      s[grantedAt] = s[at + TOKEN];
    }
    next(s);
  }
}
