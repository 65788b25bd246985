package dev.leasehold.redlock.model;

import java.util.List;

/**
 * Several locks at once. Each client wants one or two of two locks: it waits for the first of them
 * and tries the other; if that is refused it gives back what it has, and waits for the refused one
 * by another attempt, which has tokens of its own. A waiter is a message under way.
 */
final class SeveralModel extends SmallModel {
  /** What may be wrong. */
  enum Fault {
    NONE,
    HALF_THE_VOTES,
    IMMEDIATE_RESTART,
    /** What is held at a refusal is forgotten, and never given back. */
    LEFT_BEHIND,
    /** What is held at a refusal is kept while the other one is waited for. */
    KEPT_WHILE_IT_WAITS,
    /** A client that has lost one lock takes the others for all. */
    LOSS_UNSEEN
  }

  private enum Phase {
    FRESH,
    WAITING,
    TRYING,
    /** It holds all. */
    HOLDING,
    OVER
  }

  private static final int NAMES = 2;
  private static final int MOST_ATTEMPTS = 2;

  /**
   * What a client wants.
   *
   * @param names A, B, AB, or BA
   * @param attempts two at most
   */
  record Wanted(String names, int attempts) {
    @Override
    public String toString() {
      return attempts == 1 ? names : names + " twice";
    }
  }

  // Of a node: the holder of each lock; which messages of a client are under way; which locks it
  // has voted for, for which present attempt; whose attempts it waits for.
  private static final int HOLDERS = 0;
  private static final int ASKED = 2;
  private static final int VOTED = 5;
  private static final int SILENT = 6;
  private static final int NOBODY = 0;

  // Of a client, from its offset: which lock it waits for; which it has, and has lost of these.
  private static final int PHASE = 0;
  private static final int ATTEMPT = 1;
  private static final int FIRST = 2;
  private static final int HAS = 3;
  private static final int LOST = 4;
  private static final int CLIENT = 5;
  private static final int CLIENTS_AT = NODES * Long.BYTES;

  private final List<Wanted> wanted;
  private final Fault fault;
  private final int crashes;
  private final int crashesAt;

  /**
   * A model.
   *
   * @param wanted of each client, three at most
   * @param crashes how often a node loses its data
   */
  SeveralModel(List<Wanted> wanted, Fault fault, int crashes) {
    super(CLIENTS_AT + wanted.size() * CLIENT + 1, NODES);
    this.wanted = wanted;
    this.fault = fault;
    this.crashes = crashes;
    this.crashesAt = CLIENTS_AT + wanted.size() * CLIENT;
  }

  @Override
  byte[] first() {
    byte[] first = new byte[crashesAt + 1];
    first[crashesAt] = (byte) crashes;
    return first;
  }

  @Override
  void steps(byte[] s) {
    for (int c = 0; c < wanted.size(); c++) {
      client(s, c);
      for (int n = 0; n < NODES; n++) {
        for (int name = 0; name < NAMES; name++) {
          arrivals(s, c, node(n), name);
        }
      }
    }
    for (int n = 0; n < NODES && s[crashesAt] > 0; n++) {
      next(restarted(s, node(n)));
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

  private static void become(byte[] s, int c, Phase phase) {
    s[at(c) + PHASE] = (byte) phase.ordinal();
  }

  private static int token(int c, int attempt) {
    return 1 + c * MOST_ATTEMPTS + attempt;
  }

  private static int vote(int c, int name) {
    return c * NAMES + name;
  }

  // ------------------------------------------------------------------ clients

  private void client(byte[] s, int c) {
    if (is(s, c, Phase.FRESH)) {
      byte[] begun = s.clone();
      waitFor(begun, c, wanted.get(c).names().charAt(0) - 'A');
      next(begun);
    } else if (is(s, c, Phase.WAITING)) {
      got(s, c, s[at(c) + FIRST]);
      next(over(s.clone(), c));
    } else if (is(s, c, Phase.TRYING)) {
      got(s, c, 1 - s[at(c) + FIRST]);
      next(refused(s.clone(), c));
    } else if (is(s, c, Phase.HOLDING)) {
      next(over(s.clone(), c));
    }
    for (int name = 0; name < NAMES; name++) {
      if (has(s[at(c) + HAS], name) && !has(s[at(c) + LOST], name)) {
        next(lost(s.clone(), c, name));
      }
    }
  }

  private void waitFor(byte[] s, int c, int name) {
    become(s, c, Phase.WAITING);
    s[at(c) + FIRST] = (byte) name;
    ask(s, c, name);
    for (int d = 0; d < wanted.size(); d++) {
      if (waitsFor(s, c, d) && waitsFor(s, d, c)) {
        broken("MU-2");
      }
    }
  }

  private static void ask(byte[] s, int c, int name) {
    for (int n = 0; n < NODES; n++) {
      set(s, node(n) + ASKED + c, name * MOST_ATTEMPTS + s[at(c) + ATTEMPT]);
    }
  }

  private int quorum() {
    return fault == Fault.HALF_THE_VOTES ? 1 : NODES / 2 + 1;
  }

  /** If there are votes enough. */
  private void got(byte[] s, int c, int name) {
    int votes = 0;
    for (int n = 0; n < NODES; n++) {
      votes += has(s[node(n) + VOTED], vote(c, name)) ? 1 : 0;
    }
    if (votes >= quorum()) {
      for (int d = 0; d < wanted.size(); d++) {
        judge(s, d, name);
      }
      next(granted(s.clone(), c, name));
    }
  }

  /** Another client has got it. */
  private void judge(byte[] s, int d, int name) {
    if (has(s[at(d) + HAS], name)) {
      if (!has(s[at(d) + LOST], name)) {
        broken("EX-1");
      } else if (is(s, d, Phase.HOLDING)) {
        broken("MU-3");
      }
    }
  }

  private byte[] granted(byte[] s, int c, int name) {
    for (int n = 0; n < NODES; n++) {
      clear(s, node(n) + VOTED, vote(c, name));
    }
    set(s, at(c) + HAS, name);
    if (wanted.get(c).names().length() > Integer.bitCount(s[at(c) + HAS])) {
      become(s, c, Phase.TRYING);
      ask(s, c, 1 - name);
    } else if (s[at(c) + LOST] == 0 || fault == Fault.LOSS_UNSEEN) {
      become(s, c, Phase.HOLDING);
    } else {
      refused(s, c);
    }
    return s;
  }

  /** It has one, and does not get the other. */
  private byte[] refused(byte[] s, int c) {
    int other = 1 - s[at(c) + FIRST];
    if (fault == Fault.KEPT_WHILE_IT_WAITS) {
      waitFor(s, c, other);
    } else if (s[at(c) + ATTEMPT] + 1 == wanted.get(c).attempts() || fault == Fault.LEFT_BEHIND) {
      over(s, c);
    } else {
      endAttempt(s, c);
      s[at(c) + ATTEMPT]++;
      waitFor(s, c, other);
    }
    return s;
  }

  private static boolean waitsFor(byte[] s, int c, int d) {
    int has = s[at(d) + HAS] & ~s[at(d) + LOST];
    return is(s, c, Phase.WAITING) && has(has, s[at(c) + FIRST]);
  }

  /** Released, given up, or at its end. */
  private byte[] over(byte[] s, int c) {
    int left = fault == Fault.LEFT_BEHIND && !is(s, c, Phase.HOLDING) ? s[at(c) + HAS] : 0;
    endAttempt(s, c);
    become(s, c, Phase.OVER);
    s[at(c) + HAS] = (byte) left;
    for (int n = 0; n < NODES; n++) {
      for (int name = 0; name < NAMES; name++) {
        int holder = s[node(n) + HOLDERS + name];
        if (isOwn(holder, c) && isHeld(s, c, holder - token(c, 0), name)) {
          broken("MU-1"); // nothing will free it
        }
      }
    }
    return s;
  }

  private static void endAttempt(byte[] s, int c) {
    for (int n = 0; n < NODES; n++) {
      clear(s, node(n) + VOTED, vote(c, 0));
      clear(s, node(n) + VOTED, vote(c, 1));
      clear(s, node(n) + SILENT, c);
    }
    s[at(c) + HAS] = 0;
    s[at(c) + LOST] = 0;
  }

  /** A lease has ended: one that was paused does not know, and a holder of all has lost all. */
  private byte[] lost(byte[] s, int c, int name) {
    set(s, at(c) + LOST, name);
    return is(s, c, Phase.HOLDING) && fault != Fault.LOSS_UNSEEN ? over(s, c) : s;
  }

  // ------------------------------------------------------------------ nodes

  private void arrivals(byte[] s, int c, int node, int name) {
    int holder = s[node + HOLDERS + name];
    for (int attempt = 0; attempt <= s[at(c) + ATTEMPT]; attempt++) {
      int message = name * MOST_ATTEMPTS + attempt;
      boolean isPresent = attempt == s[at(c) + ATTEMPT] && !is(s, c, Phase.OVER);
      if (has(s[node + ASKED + c], message) && holder == NOBODY && s[node + SILENT] == 0) {
        byte[] voted = s.clone();
        clear(voted, node + ASKED + c, message);
        voted[node + HOLDERS + name] = (byte) token(c, attempt);
        if (isPresent && !has(s[at(c) + HAS], name)) {
          set(voted, node + VOTED, vote(c, name));
        }
        next(voted);
      }
      if (holder == token(c, attempt) && !isHeld(s, c, attempt, name)) {
        byte[] freed = s.clone();
        freed[node + HOLDERS + name] = NOBODY;
        next(freed);
      }
    }
  }

  private static boolean isOwn(int holder, int c) {
    return holder >= token(c, 0) && holder <= token(c, MOST_ATTEMPTS - 1);
  }

  /** Whether a client keeps what it has on a node, or may get: no other client frees it. */
  private static boolean isHeld(byte[] s, int c, int attempt, int name) {
    boolean isPresent = attempt == s[at(c) + ATTEMPT] && !has(s[at(c) + LOST], name);
    return isPresent && (!is(s, c, Phase.OVER) || has(s[at(c) + HAS], name));
  }

  private byte[] restarted(byte[] s, int node) {
    byte[] lost = s.clone();
    int silent = 0;
    for (int c = 0; c < wanted.size(); c++) {
      silent |= is(s, c, Phase.FRESH) || is(s, c, Phase.OVER) ? 0 : 1 << c;
    }
    lost[node + HOLDERS] = NOBODY;
    lost[node + HOLDERS + 1] = NOBODY;
    lost[node + SILENT] = (byte) (fault == Fault.IMMEDIATE_RESTART ? 0 : silent);
    lost[crashesAt]--;
    return lost;
  }
}
