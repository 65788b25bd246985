package dev.leasehold.redlock.model;

import java.util.List;

/**
 * Read/write locks and semaphores: one round of votes of each client, which names one slot of a
 * semaphore. A node that lost its data has a clock that is beyond all numbers when it votes again.
 */
final class KindModel extends SmallModel {
  private static final int SLOTS = 2;

  /** What a client does. */
  enum Role {
    READS,
    WRITES,
    PERMIT
  }

  /** What may be wrong. */
  enum Fault {
    NONE,
    HALF_THE_VOTES,
    IMMEDIATE_RESTART,
    /** The largest vote is not kept by the others, and taken for kept. */
    NOTHING_WRITTEN_BACK,
    /** A node gives any slot as long as it has given fewer than there are. */
    COUNTED_PER_NODE
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
  private static final int SLOT = 1;
  private static final int TOKEN = 2;
  private static final int ASKED = 3;
  private static final int HEARD = 4;
  private static final int RAISED = 5;
  private static final int KEPT = 6;
  private static final int FREED = 7;
  private static final int VOTE = 8;
  private static final int CLIENT = VOTE + NODES;
  // Of a node: its holder; its two counters, or the slots'; whose rounds it waits for.
  private static final int HOLDERS = 0;
  private static final int FENCE = 1;
  private static final int SILENT = 3;
  private static final int NODE = 4;

  private final List<Role> roles;
  private final Fault fault;
  private final int crashes;
  private final int nodesAt;
  private final int grantedAt;

  /**
   * A model.
   *
   * @param crashes how often a node loses its data
   */
  KindModel(List<Role> roles, Fault fault, int crashes) {
    super(roles.size() * CLIENT + NODES * NODE + 3, 0);
    this.roles = roles;
    this.fault = fault;
    this.crashes = crashes;
    this.nodesAt = roles.size() * CLIENT;
    this.grantedAt = nodesAt + NODES * NODE;
  }

  @Override
  byte[] first() {
    byte[] first = new byte[grantedAt + 3];
    // A clock is ahead: each number there is larger until the others have caught up.
    for (int i = FENCE; i < SILENT; i++) {
      first[nodesAt + i] = 2;
    }
    first[grantedAt + 2] = (byte) crashes;
    return first;
  }

  private int at(int client) {
    return client * CLIENT;
  }

  private int node(int n) {
    return nodesAt + n * NODE;
  }

  private static Phase phase(byte[] s, int at) {
    return Phase.values()[s[at + PHASE]];
  }

  private static boolean has(byte[] s, int at, int n) {
    return (s[at] & 1 << n) != 0;
  }

  @Override
  void steps(byte[] s) {
    for (int c = 0; c < roles.size(); c++) {
      client(s, c);
      for (int n = 0; n < NODES; n++) {
        arrivals(s, c, n);
      }
    }
    for (int n = 0; n < NODES && s[grantedAt + 2] > 0; n++) {
      next(restarted(s, n));
    }
  }

  // ------------------------------------------------------------------ clients

  private void client(byte[] s, int c) {
    int at = at(c);
    switch (phase(s, at)) {
      case FRESH -> {
        // Slots are alike: it makes no difference which one the first client names.
        int slots = roles.get(c) == Role.PERMIT && c > 0 ? SLOTS : 1;
        for (int slot = 0; slot < slots; slot++) {
          byte[] asks = s.clone();
          asks[at + PHASE] = (byte) Phase.VOTING.ordinal();
          asks[at + SLOT] = (byte) slot;
          asks[at + ASKED] = ALL;
          next(asks);
        }
      }
      case VOTING, RAISING -> {
        for (int n = 0; n < NODES; n++) {
          if (s[at + VOTE + n] > 0 && !has(s, at + HEARD, n)) {
            byte[] heard = s.clone();
            set(heard, at + HEARD, n);
            next(phase(s, at) == Phase.VOTING ? decided(heard, c) : heard);
          }
        }
        if (phase(s, at) == Phase.RAISING && Integer.bitCount(s[at + KEPT]) >= quorum()) {
          next(granted(s.clone(), c, s[at + TOKEN]));
        }
        next(over(s, c));
      }
      case HOLDING -> next(over(s, c));
      case OVER -> {
        // that was it
      }
    }
  }

  private int quorum() {
    return fault == Fault.HALF_THE_VOTES ? 1 : NODES / 2 + 1;
  }

  private byte[] decided(byte[] s, int c) {
    int at = at(c);
    if (Integer.bitCount(s[at + HEARD]) < quorum()) {
      return s;
    }
    int largest = 0;
    for (int n = 0; n < NODES; n++) {
      largest = has(s, at + HEARD, n) ? Math.max(largest, s[at + VOTE + n] - 1) : largest;
    }
    for (int n = 0; n < NODES; n++) {
      if (has(s, at + HEARD, n) && s[at + VOTE + n] - 1 == largest) {
        set(s, at + KEPT, n);
      }
    }
    boolean kept = Integer.bitCount(s[at + KEPT]) >= quorum();
    if (kept || fault == Fault.NOTHING_WRITTEN_BACK) {
      return granted(s, c, largest);
    }
    s[at + PHASE] = (byte) Phase.RAISING.ordinal();
    s[at + TOKEN] = (byte) largest;
    s[at + RAISED] = (byte) (ALL & ~s[at + KEPT]);
    return s;
  }

  private byte[] granted(byte[] s, int c, int token) {
    int at = at(c);
    Role role = roles.get(c);
    for (int d = 0; d < roles.size(); d++) {
      if (phase(s, at(d)) == Phase.HOLDING && excludes(s, c, d)) {
        broken(role == Role.PERMIT ? "SE-7" : "RW-1");
      }
    }
    // [0] of all, [1] of writers; or of each slot.
    int before = s[grantedAt + (role == Role.PERMIT ? s[at + SLOT] : role == Role.READS ? 1 : 0)];
    if (token <= before) {
      broken(role == Role.PERMIT ? "SE-8" : "RW-6");
    }
    for (int i = 0; i < 2; i++) {
      boolean counts = role == Role.PERMIT ? i == s[at + SLOT] : i == 0 || role == Role.WRITES;
      s[grantedAt + i] = counts ? (byte) Math.max(s[grantedAt + i], token) : s[grantedAt + i];
    }
    for (int i = TOKEN; i < CLIENT; i++) {
      s[at + i] = i == ASKED ? s[at + i] : 0;
    }
    s[at + PHASE] = (byte) Phase.HOLDING.ordinal();
    return s;
  }

  private boolean excludes(byte[] s, int c, int d) {
    return roles.get(c) == Role.PERMIT
        ? s[at(c) + SLOT] == s[at(d) + SLOT]
        : roles.get(c) == Role.WRITES || roles.get(d) == Role.WRITES;
  }

  /** Released, given up, or at its end: each node may free it, at any time or never. */
  private byte[] over(byte[] s, int c) {
    byte[] over = s.clone();
    int at = at(c);
    for (int i = TOKEN; i < CLIENT; i++) {
      over[at + i] = i == ASKED ? over[at + i] : 0;
    }
    over[at + PHASE] = (byte) Phase.OVER.ordinal();
    over[at + FREED] = ALL;
    for (int n = 0; n < NODES; n++) {
      clear(over, node(n) + SILENT, c);
    }
    return over;
  }

  // ------------------------------------------------------------------ nodes

  private void arrivals(byte[] s, int c, int n) {
    int at = at(c);
    int node = node(n);
    if (has(s, at + ASKED, n) && s[node + SILENT] == 0 && gives(s, c, n)) {
      next(voted(s, c, n));
    }
    if (has(s, at + RAISED, n) && has(s, node + HOLDERS, c)) {
      byte[] raised = s.clone();
      clear(raised, at + RAISED, n);
      set(raised, at + KEPT, n);
      keep(raised, c, n, s[at + TOKEN]);
      next(raised);
    }
    if (has(s, at + FREED, n) && has(s, node + HOLDERS, c)) {
      byte[] freed = s.clone();
      clear(freed, at + FREED, n);
      clear(freed, node + HOLDERS, c);
      next(freed);
    }
  }

  private boolean gives(byte[] s, int c, int n) {
    if (fault == Fault.COUNTED_PER_NODE) {
      return Integer.bitCount(s[node(n) + HOLDERS]) < SLOTS;
    }
    for (int d = 0; d < roles.size(); d++) {
      if (d != c && has(s, node(n) + HOLDERS, d) && excludes(s, c, d)) {
        return false;
      }
    }
    return true;
  }

  private byte[] voted(byte[] s, int c, int n) {
    byte[] voted = s.clone();
    int at = at(c);
    int slot = roles.get(c) == Role.PERMIT ? s[at + SLOT] : 0;
    int last = s[node(n) + FENCE + (roles.get(c) == Role.READS ? 1 : slot)];
    clear(voted, at + ASKED, n);
    set(voted, node(n) + HOLDERS, c);
    if (phase(s, at) == Phase.VOTING || phase(s, at) == Phase.RAISING) {
      voted[at + VOTE + n] = (byte) (last + 2); // one more, and one for there being a vote
    }
    keep(voted, c, n, last + 1);
    return voted;
  }

  /** The fences of a node: of all and of writers, or of each slot. */
  private void keep(byte[] s, int c, int n, int number) {
    for (int i = 0; i < 2; i++) {
      boolean counts =
          switch (roles.get(c)) {
            case READS -> i == 0;
            case WRITES -> true;
            case PERMIT -> i == s[at(c) + SLOT];
          };
      int at = node(n) + FENCE + i;
      s[at] = counts ? (byte) Math.max(s[at], number) : s[at];
    }
  }

  private byte[] restarted(byte[] s, int n) {
    byte[] lost = s.clone();
    int largest = 0;
    int silent = 0;
    for (int m = 0; m < NODES; m++) {
      largest = Math.max(largest, Math.max(s[node(m) + FENCE], s[node(m) + FENCE + 1]));
    }
    for (int c = 0; c < roles.size(); c++) {
      Phase phase = phase(s, at(c));
      silent |= phase == Phase.FRESH || phase == Phase.OVER ? 0 : 1 << c;
    }
    lost[node(n) + HOLDERS] = 0;
    lost[node(n) + FENCE] = (byte) largest;
    lost[node(n) + FENCE + 1] = (byte) largest;
    lost[node(n) + SILENT] = (byte) (fault == Fault.IMMEDIATE_RESTART ? 0 : silent);
    lost[grantedAt + 2]--;
    return lost;
  }
}
