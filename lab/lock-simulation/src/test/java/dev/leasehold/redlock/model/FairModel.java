package dev.leasehold.redlock.model;

import java.util.List;

/**
 * Locks in the order of arrival. Clients are numbered by their places. A waiter stands in the lines
 * of the nodes that refuse it, is woken where a node is kept for it, and comes again by another
 * round. A node that is free leaves itself to the first of its line; a waiter that does not come in
 * time loses its place there; a client with most nodes takes the others too, also kept ones.
 *
 * <p>A client that was in the queues of a quorum before another came has the lock first. Unless it
 * gave up, missed its turn, or yielded: it gave a vote back that was not enough, or came too late.
 */
final class FairModel extends SmallModel {
  /** What may be wrong. */
  enum Fault {
    NONE,
    HALF_THE_VOTES,
    IMMEDIATE_RESTART,
    /** A node that is free goes to any client that asks. */
    FREE_FOR_ALL,
    /** What a node keeps for one goes to any client that asks. */
    KEPT_FOR_ALL,
    /** A client that comes again is the last again. */
    LAST_EACH_TIME
  }

  private enum Phase {
    FRESH,
    ASKING,
    HOLDING,
    OVER
  }

  private static final int MOST_ROUNDS = 2;

  // Of a node: its holder, or the client it is kept for; its line; which messages of a client are
  // under way; whose present rounds it has voted for; whose rounds it waits for.
  private static final int HOLDER = 0;
  private static final int LINE = 1;
  private static final int ASKED = 2;
  private static final int VOTED = 5;
  private static final int SILENT = 6;
  private static final int NOBODY = 0;
  private static final int KEPT = 32;

  /** The message of the client with most nodes; the others are numbered by their rounds. */
  private static final int TAKES = MOST_ROUNDS;

  // Of a client, from its offset: which clients must be before it.
  private static final int PHASE = 0;
  private static final int ROUND = 1;
  private static final int BEHIND = 2;
  private static final int CLIENT = 3;
  private static final int CLIENTS_AT = NODES * Long.BYTES;

  private static final int PLACE_BITS = 2;

  private final List<Integer> rounds;
  private final int clients;
  private final Fault fault;
  private final int crashes;
  private final int crashesAt;

  /**
   * A model.
   *
   * @param rounds two at most, of each client; and three of these; the first has the lock from the
   *     beginning if it has none
   * @param crashes how often a node loses its data
   */
  FairModel(List<Integer> rounds, Fault fault, int crashes) {
    super(CLIENTS_AT + rounds.size() * CLIENT + 1, NODES);
    this.rounds = rounds;
    this.clients = rounds.size();
    this.fault = fault;
    this.crashes = crashes;
    this.crashesAt = CLIENTS_AT + clients * CLIENT;
  }

  @Override
  byte[] first() {
    byte[] first = new byte[crashesAt + 1];
    first[crashesAt] = (byte) crashes;
    if (rounds.get(0) == 0) {
      first[at(0) + PHASE] = (byte) Phase.HOLDING.ordinal();
      for (int n = 0; n < NODES; n++) {
        first[node(n) + HOLDER] = (byte) held(0, 0);
      }
    }
    return first;
  }

  @Override
  void steps(byte[] s) {
    for (int c = 0; c < clients; c++) {
      client(s, c);
      for (int n = 0; n < NODES; n++) {
        arrivals(s, c, node(n));
      }
    }
    for (int n = 0; n < NODES; n++) {
      lapses(s, node(n));
      if (s[crashesAt] > 0) {
        next(restarted(s, node(n)));
      }
    }
  }

  private static int node(int n) {
    return n * Long.BYTES;
  }

  private static int at(int client) {
    return CLIENTS_AT + client * CLIENT;
  }

  private static boolean is(byte[] s, int c, Phase phase) {
    return s[at(c) + PHASE] == phase.ordinal();
  }

  private static int held(int c, int round) {
    return 1 + c * MOST_ROUNDS + round;
  }

  // ------------------------------------------------------------------ clients

  private void client(byte[] s, int c) {
    if (is(s, c, Phase.FRESH)) {
      if (c == 0 || !is(s, c - 1, Phase.FRESH)) {
        next(begun(s, c));
      }
    } else if (is(s, c, Phase.ASKING)) {
      if (count(s, VOTED, c) >= quorum()) {
        next(granted(s, c));
      }
      if (s[at(c) + ROUND] + 1 < rounds.get(c)) {
        next(again(s, c));
      }
      next(over(s, c));
    } else if (is(s, c, Phase.HOLDING)) {
      next(over(s, c));
    }
  }

  private int quorum() {
    return fault == Fault.HALF_THE_VOTES ? 1 : NODES / 2 + 1;
  }

  /** On how many nodes a client's bit is set. */
  private static int count(byte[] s, int field, int c) {
    int count = 0;
    for (int n = 0; n < NODES; n++) {
      count += has(s[node(n) + field], c) ? 1 : 0;
    }
    return count;
  }

  private byte[] begun(byte[] s, int c) {
    byte[] begun = s.clone();
    begun[at(c) + PHASE] = (byte) Phase.ASKING.ordinal();
    for (int e = 0; e < c; e++) {
      int lines = 0;
      for (int n = 0; n < NODES; n++) {
        lines += without(s[node(n) + LINE], e) == s[node(n) + LINE] ? 0 : 1;
      }
      if (is(s, e, Phase.ASKING) && lines > NODES / 2) {
        set(begun, at(c) + BEHIND, e);
      }
    }
    askAll(begun, c, 0);
    return begun;
  }

  private byte[] again(byte[] s, int c) {
    byte[] again = s.clone();
    endRound(again, c);
    askAll(again, c, ++again[at(c) + ROUND]);
    return again;
  }

  private byte[] granted(byte[] s, int c) {
    for (int d = 0; d < clients; d++) {
      if (is(s, d, Phase.HOLDING)) {
        broken("EX-1");
      }
    }
    if (s[at(c) + BEHIND] != 0) {
      broken("FA-2");
    }
    byte[] granted = s.clone();
    for (int n = 0; n < NODES; n++) {
      if (!has(s[node(n) + VOTED], c)) {
        set(granted, node(n) + ASKED + c, TAKES);
      }
      clear(granted, node(n) + VOTED, c);
    }
    granted[at(c) + PHASE] = (byte) Phase.HOLDING.ordinal();
    granted[at(c) + BEHIND] = 0;
    excuse(granted, c);
    return granted;
  }

  /** Released, given up, or at its end. */
  private byte[] over(byte[] s, int c) {
    byte[] over = s.clone();
    over[at(c) + PHASE] = (byte) Phase.OVER.ordinal();
    over[at(c) + BEHIND] = 0;
    excuse(over, c);
    endRound(over, c);
    return over;
  }

  /** No client has to be behind it any more. */
  private void excuse(byte[] s, int c) {
    for (int d = 0; d < clients; d++) {
      clear(s, at(d) + BEHIND, c);
    }
  }

  private static void askAll(byte[] s, int c, int message) {
    for (int n = 0; n < NODES; n++) {
      set(s, node(n) + ASKED + c, message);
    }
  }

  private static void endRound(byte[] s, int c) {
    for (int n = 0; n < NODES; n++) {
      clear(s, node(n) + VOTED, c);
      clear(s, node(n) + SILENT, c);
    }
  }

  // ------------------------------------------------------------------ nodes

  private void arrivals(byte[] s, int c, int node) {
    for (int message = 0; message <= TAKES && s[node + SILENT] == 0; message++) {
      if (has(s[node + ASKED + c], message)) {
        byte[] arrived = s.clone();
        clear(arrived, node + ASKED + c, message);
        if (message == TAKES) {
          take(arrived, c, node);
        } else {
          ask(arrived, c, node, message);
        }
        if (s[node + HOLDER] != arrived[node + HOLDER] || s[node + LINE] != arrived[node + LINE]) {
          next(arrived);
        }
      }
    }
    boolean over = is(s, c, Phase.OVER);
    for (int round = 0; round <= s[at(c) + ROUND]; round++) {
      if (s[node + HOLDER] == held(c, round) && (over || round < s[at(c) + ROUND])) {
        byte[] freed = s.clone();
        freed[node + HOLDER] = NOBODY;
        if (over) {
          byte[] released = freed.clone();
          passOn(released, node);
          next(released);
        } else {
          excuse(freed, c); // in silence
        }
        next(freed);
      }
    }
    boolean kept = s[node + HOLDER] == KEPT + c;
    if (over && (kept || without(s[node + LINE], c) != s[node + LINE])) {
      byte[] left = s.clone();
      left[node + LINE] = (byte) without(s[node + LINE], c);
      if (kept) {
        passOn(left, node);
      }
      next(left);
    }
  }

  private void ask(byte[] s, int c, int node, int round) {
    int holder = s[node + HOLDER];
    int first = first(s[node + LINE]);
    // A client that has waited goes before later places: it may have missed its turn.
    boolean isNext = first < 0 || first == c || (round > 0 && c < first);
    if (holder == NOBODY && !isNext && fault != Fault.FREE_FOR_ALL) {
      s[node + HOLDER] = (byte) (KEPT + first);
      stand(s, c, node, round);
    } else if (holder == NOBODY
        || holder == KEPT + c
        || (holder >= KEPT && fault == Fault.KEPT_FOR_ALL)) {
      s[node + HOLDER] = (byte) held(c, round);
      s[node + LINE] = (byte) without(s[node + LINE], c);
      if (is(s, c, Phase.ASKING) && round == s[at(c) + ROUND]) {
        set(s, node + VOTED, c);
      }
    } else {
      stand(s, c, node, round);
    }
  }

  private void stand(byte[] s, int c, int node, int round) {
    int line = s[node + LINE];
    boolean isLast = fault == Fault.LAST_EACH_TIME && round > 0;
    s[node + LINE] = (byte) with(without(line, c), c, isLast ? clients : c);
  }

  private void take(byte[] s, int c, int node) {
    if (s[node + HOLDER] == NOBODY || s[node + HOLDER] >= KEPT) {
      s[node + HOLDER] = (byte) held(c, s[at(c) + ROUND]);
      s[node + LINE] = (byte) without(s[node + LINE], c);
    }
  }

  private static void passOn(byte[] s, int node) {
    int first = first(s[node + LINE]);
    s[node + HOLDER] = (byte) (first < 0 ? NOBODY : KEPT + first);
  }

  /** The woken client does not come. */
  private void lapses(byte[] s, int node) {
    int late = s[node + HOLDER] - KEPT;
    if (late >= 0 && !is(s, late, Phase.OVER)) {
      byte[] lapsed = s.clone();
      lapsed[node + HOLDER] = NOBODY;
      lapsed[node + LINE] = (byte) without(s[node + LINE], late);
      excuse(lapsed, late);
      next(lapsed);
    }
  }

  private byte[] restarted(byte[] s, int node) {
    byte[] lost = s.clone();
    int silent = 0;
    for (int c = 0; c < clients; c++) {
      silent |= is(s, c, Phase.ASKING) || is(s, c, Phase.HOLDING) ? 1 << c : 0;
      lost[at(c) + BEHIND] = 0; // one line is gone: perhaps no quorum's are left
    }
    lost[node + HOLDER] = NOBODY;
    lost[node + LINE] = 0;
    lost[node + SILENT] = (byte) (fault == Fault.IMMEDIATE_RESTART ? 0 : silent);
    lost[crashesAt]--;
    return lost;
  }

  // ------------------------------------------------------------------ lines: the first is lowest

  private static int first(int line) {
    return (line & (1 << PLACE_BITS) - 1) - 1;
  }

  private static int without(int line, int c) {
    int out = 0;
    int at = 0;
    for (int left = line; left != 0; left >>= PLACE_BITS) {
      if (first(left) != c) {
        out |= first(left) + 1 << at;
        at += PLACE_BITS;
      }
    }
    return out;
  }

  /** Before the first whose number is larger than this place. */
  private static int with(int line, int c, int place) {
    if (line == 0 || first(line) > place) {
      return line << PLACE_BITS | c + 1;
    }
    return with(line >> PLACE_BITS, c, place) << PLACE_BITS | first(line) + 1;
  }
}
