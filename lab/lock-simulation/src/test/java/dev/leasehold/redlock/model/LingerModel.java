package dev.leasehold.redlock.model;

import dev.leasehold.lock.internal.lease.LeaseState;
import dev.leasehold.lock.internal.lease.LeaseState.Effect;
import dev.leasehold.lock.internal.lease.LeaseState.Event;
import dev.leasehold.lock.internal.lease.LeaseState.Phase;
import dev.leasehold.lock.internal.lease.LeaseState.Step;
import dev.leasehold.lock.internal.lease.LeaseState.Successor;
import java.util.List;

/**
 * Leases that are kept after a release ({@code lock.linger}). Each client is one process, whose
 * leases change by {@link LeaseState}, the shipped one. A refused client stands in the node's queue
 * and recalls the holder's lease; it asks again at any time, so its request stays under way. A
 * recall may be lost.
 *
 * <p>A grant takes the next number and sets aside {@link #NUMBERS} more on its nodes, in one step:
 * how the nodes agree on a number is what {@link Protocol} is about.
 */
final class LingerModel extends SmallModel {
  /** What may be wrong. */
  enum Fault {
    NONE,
    /** A recall that comes before the grant is forgotten. */
    EARLY_RECALL_FORGOTTEN,
    /** A recall of a lease that is held is forgotten when that hold ends. */
    RECALL_FORGOTTEN,
    /** A grant does not say that another client is in the queue. */
    QUEUE_UNREPORTED,
    /** A lease is taken again after its release was sent. */
    TAKEN_AFTER_RELEASE,
    /** A lease whose deadline has passed is taken again. */
    TAKEN_AFTER_DEADLINE,
    /** A renewal that is answered after the deadline revives the lease for a waiter. */
    REVIVED_AFTER_DEADLINE,
    /** Holds take numbers that no node has set aside. */
    NOTHING_SET_ASIDE,
    /** One node alone sets them aside. */
    SET_ASIDE_ON_ONE,
    /** A release returns unused numbers though others have been drawn since. */
    RETURNED_BLINDLY
  }

  /** Before there is a lease; from there on, the phases of {@link LeaseState}. */
  private static final int FRESH = 0;

  private static final int ASKING = 1;
  private static final int LEASE = 2;

  private static final int CLIENTS = 2;
  private static final int MOST_ATTEMPTS = 2;
  private static final int TOKENS = CLIENTS * MOST_ATTEMPTS;
  private static final int NUMBERS = 1;
  private static final int MAJORITY = NODES / 2 + 1;

  // Of a node: the holder; which tokens' requests are under way, and which have its vote;
  // the clients in its queue; the fence, as twice the number of the last grant, and one more while
  // the next number is set aside: a release must not take another grant's fence for its own.
  private static final int HOLDER = 0;
  private static final int ASKED = 1;
  private static final int VOTED = 2;
  private static final int QUEUE = 3;
  private static final int FENCE = 4;
  private static final int NOBODY = 0;

  // Of a client, from its offset: how many attempts it has begun; whether its lease's deadline has
  // passed; whether its lease was recalled, or its grant reported others, as far as it knows;
  // and what it remembers of that.
  private static final int PHASE = 0;
  private static final int BEGUN = 1;
  private static final int LAPSED = 2;
  private static final int TOLD = 3;
  private static final int WANTED = 4;
  private static final int CLIENT = 5;
  private static final int CLIENTS_AT = NODES * Long.BYTES;

  // Of a token: the first number of its lease, and how many more were used.
  private static final int FIRST_AT = CLIENTS_AT + CLIENTS * CLIENT;
  private static final int USED_AT = FIRST_AT + TOKENS;

  /** Which tokens' recalls are under way. */
  private static final int RECALLS_AT = USED_AT + TOKENS;

  /** The largest number of any hold. */
  private static final int LARGEST_AT = RECALLS_AT + 1;

  private final List<Integer> attempts;
  private final Fault fault;

  /**
   * A model.
   *
   * @param attempts how often each client may ask for the lock, twice at most
   */
  LingerModel(List<Integer> attempts, Fault fault) {
    super(LARGEST_AT + 1, NODES);
    this.attempts = attempts;
    this.fault = fault;
  }

  @Override
  byte[] first() {
    return new byte[LARGEST_AT + 1];
  }

  @Override
  void steps(byte[] s) {
    for (int c = 0; c < CLIENTS; c++) {
      client(s, c);
      for (int attempt = 0; attempt < s[at(c) + BEGUN]; attempt++) {
        int token = c * MOST_ATTEMPTS + attempt;
        recalled(s, c, token);
        for (int n = 0; n < NODES; n++) {
          asked(s, c, token, n * Long.BYTES);
          freed(s, c, token, n * Long.BYTES);
        }
      }
    }
  }

  /** Leaves out of a state what makes no difference any more. */
  private void come(byte[] s) {
    for (int c = 0; c < CLIENTS; c++) {
      if (is(s, c, Phase.ENDED)) {
        s[at(c) + TOLD] = 0;
        s[at(c) + WANTED] = 0;
        s[at(c) + LAPSED] = fault == Fault.TAKEN_AFTER_RELEASE ? s[at(c) + LAPSED] : 0;
      }
      for (int attempt = 0; attempt < s[at(c) + BEGUN]; attempt++) {
        int token = c * MOST_ATTEMPTS + attempt;
        boolean isPresent = token == token(s, c) && !is(s, c, Phase.ENDED);
        if (!isPresent) {
          clear(s, RECALLS_AT, token);
        }
        if (fault == Fault.NONE && !isPresent && isNowhere(s, token)) {
          s[FIRST_AT + token] = 0;
          s[USED_AT + token] = 0;
        }
      }
    }
    next(s);
  }

  private static boolean isNowhere(byte[] s, int token) {
    for (int n = 0; n < NODES; n++) {
      int node = n * Long.BYTES;
      if (s[node + HOLDER] == token + 1 || has(s[node + ASKED], token)) {
        return false;
      }
    }
    return true;
  }

  private static int at(int client) {
    return CLIENTS_AT + client * CLIENT;
  }

  private static int token(byte[] s, int c) {
    return c * MOST_ATTEMPTS + s[at(c) + BEGUN] - 1;
  }

  private static boolean is(byte[] s, int c, Phase phase) {
    return s[at(c) + PHASE] == LEASE + phase.ordinal();
  }

  private static boolean hasLease(byte[] s, int c) {
    return s[at(c) + PHASE] >= LEASE && !is(s, c, Phase.ENDED);
  }

  private static boolean holds(byte[] s, int c) {
    return is(s, c, Phase.HELD) && s[at(c) + LAPSED] == 0;
  }

  // ------------------------------------------------------------------ clients

  private void client(byte[] s, int c) {
    int phase = s[at(c) + PHASE];
    boolean lapsed = s[at(c) + LAPSED] != 0;
    if ((phase == FRESH || is(s, c, Phase.ENDED)) && s[at(c) + BEGUN] < attempts.get(c)) {
      come(asking(s.clone(), c));
    }
    if (phase == ASKING) {
      if (count(s, VOTED, 1 << token(s, c)) >= MAJORITY) {
        come(granted(s.clone(), c));
      }
      byte[] over = s.clone();
      over[at(c) + PHASE] = (byte) (LEASE + Phase.ENDED.ordinal());
      come(over);
    } else if (is(s, c, Phase.HELD)) {
      on(s, c, Event.Left.FOR_GOOD);
      on(s, c, new Event.Unused());
      if (!lapsed) {
        on(s, c, new Event.Left(Successor.NONE, true));
        on(s, c, new Event.Left(Successor.READY, true));
        on(s, c, new Event.Left(Successor.AFTER_RENEWAL, true));
      }
    } else if (is(s, c, Phase.PASSING)) {
      boolean confirmed = count(s, HOLDER, token(s, c) + 1) >= MAJORITY;
      // An answer after the deadline revives nothing.
      on(s, c, new Event.Renewed(confirmed, !lapsed || fault == Fault.REVIVED_AFTER_DEADLINE));
      on(s, c, new Event.Renewed(confirmed, false));
    } else if (is(s, c, Phase.IDLE)) {
      on(s, c, new Event.Claimed(!lapsed || fault == Fault.TAKEN_AFTER_DEADLINE));
      on(s, c, new Event.Claimed(false));
      on(s, c, new Event.TimeUp());
      on(s, c, new Event.Unused());
    }
    if ((is(s, c, Phase.HELD) || is(s, c, Phase.IDLE))
        && count(s, HOLDER, token(s, c) + 1) < MAJORITY) {
      on(s, c, new Event.Gone()); // the answer to a renewal
    }
    if (hasLease(s, c) && !lapsed) {
      byte[] past = s.clone();
      past[at(c) + LAPSED] = 1;
      come(past);
    }
    if (fault == Fault.TAKEN_AFTER_RELEASE && is(s, c, Phase.ENDED) && !lapsed) {
      takenBack(s.clone(), c);
    }
  }

  private static byte[] asking(byte[] s, int c) {
    s[at(c) + PHASE] = ASKING;
    s[at(c) + BEGUN]++;
    s[at(c) + LAPSED] = 0;
    s[at(c) + TOLD] = 0;
    s[at(c) + WANTED] = 0;
    for (int n = 0; n < NODES; n++) {
      set(s, n * Long.BYTES + ASKED, token(s, c));
    }
    return s;
  }

  /** Returns how many nodes have this holder, or this vote. */
  private static int count(byte[] s, int what, int value) {
    int count = 0;
    for (int n = 0; n < NODES; n++) {
      int found = s[n * Long.BYTES + what];
      count += what == VOTED ? found & value : found == value ? 1 : 0;
    }
    return what == VOTED ? count / value : count;
  }

  private byte[] granted(byte[] s, int c) {
    int token = token(s, c);
    int last = 0;
    for (int n = 0; n < NODES; n++) {
      if (has(s[n * Long.BYTES + VOTED], token)) {
        last = Math.max(last, (s[n * Long.BYTES + FENCE] + 1) / 2);
      }
    }
    int number = last + 1;
    int aside = fault == Fault.NOTHING_SET_ASIDE ? 0 : NUMBERS;
    for (int n = 0; n < NODES; n++) {
      if (has(s[n * Long.BYTES + VOTED], token)) {
        s[n * Long.BYTES + FENCE] = (byte) (2 * number + aside);
        clear(s, n * Long.BYTES + VOTED, token);
        aside = fault == Fault.SET_ASIDE_ON_ONE ? 0 : aside;
      }
    }
    s[FIRST_AT + token] = (byte) number;
    s[at(c) + PHASE] = (byte) (LEASE + Phase.HELD.ordinal());
    begin(s, c);
    return s;
  }

  /** A hold begins, with the next number of its lease. */
  private void begin(byte[] s, int c) {
    int number = s[FIRST_AT + token(s, c)] + s[USED_AT + token(s, c)];
    if (holds(s, 1 - c)) {
      broken("ST-1");
    }
    if (number <= s[LARGEST_AT]) {
      broken("ST-3");
    }
    s[LARGEST_AT] = (byte) Math.max(number, s[LARGEST_AT]);
  }

  private void takenBack(byte[] s, int c) {
    int token = token(s, c);
    if (s[FIRST_AT + token] > 0 && s[USED_AT + token] < NUMBERS) {
      s[at(c) + PHASE] = (byte) (LEASE + Phase.HELD.ordinal());
      s[USED_AT + token]++;
      begin(s, c);
      come(s);
    }
  }

  private static LeaseState lease(byte[] s, int c) {
    return new LeaseState(
        Phase.values()[s[at(c) + PHASE] - LEASE],
        s[USED_AT + token(s, c)],
        NUMBERS,
        false,
        s[at(c) + WANTED] != 0);
  }

  /** Something happens to a client's lease. */
  private void on(byte[] before, int c, Event event) {
    byte[] s = before.clone();
    Step step = lease(s, c).on(event);
    LeaseState lease = step.state();
    boolean remembers = fault != Fault.RECALL_FORGOTTEN;
    s[at(c) + PHASE] = (byte) (LEASE + lease.phase().ordinal());
    s[at(c) + WANTED] = (byte) (lease.wanted() && remembers ? 1 : 0);
    s[USED_AT + token(s, c)] = (byte) lease.used();
    if (step.effect() == Effect.PASS_ON && event instanceof Event.Renewed) {
      s[at(c) + LAPSED] = 0;
    }
    if (step.effect() == Effect.PASS_ON || step.effect() == Effect.TAKE) {
      begin(s, c);
    } else if (is(s, c, Phase.IDLE) && s[at(c) + TOLD] != 0) {
      broken("ST-2");
    }
    come(s);
  }

  private void recalled(byte[] before, int c, int token) {
    if (!has(before[RECALLS_AT], token)) {
      return;
    }
    byte[] s = before.clone();
    clear(s, RECALLS_AT, token);
    if (token == token(s, c) && s[at(c) + PHASE] == ASKING) {
      s[at(c) + TOLD] = 1;
      s[at(c) + WANTED] = (byte) (fault == Fault.EARLY_RECALL_FORGOTTEN ? 0 : 1);
    } else if (token == token(s, c) && hasLease(s, c)) {
      s[at(c) + TOLD] = 1;
      on(s, c, new Event.Recalled());
      return;
    }
    come(s);
  }

  // ------------------------------------------------------------------ nodes

  /** A request comes to a node. */
  private void asked(byte[] before, int c, int token, int node) {
    if (!has(before[node + ASKED], token)) {
      return;
    }
    byte[] s = before.clone();
    boolean asks = token == token(s, c) && s[at(c) + PHASE] == ASKING;
    int holder = s[node + HOLDER];
    if (holder == NOBODY) {
      s[node + HOLDER] = (byte) (token + 1);
      clear(s, node + ASKED, token);
      clear(s, node + QUEUE, c);
      if (asks) {
        set(s, node + VOTED, token);
      }
      if (asks && s[node + QUEUE] != 0) {
        s[at(c) + TOLD] = 1;
        s[at(c) + WANTED] |= (byte) (fault == Fault.QUEUE_UNREPORTED ? 0 : 1);
      }
    } else if (holder != token + 1) {
      if (asks) {
        set(s, node + QUEUE, c);
      }
      if (s[at((holder - 1) / MOST_ATTEMPTS) + TOLD] == 0) {
        set(s, RECALLS_AT, holder - 1);
      }
    }
    come(s);
  }

  /** What is no client's any more is released on a node, or ends there. */
  private void freed(byte[] before, int c, int token, int node) {
    boolean isPresent = token == token(before, c);
    int phase = before[at(c) + PHASE];
    if (isPresent && (phase == ASKING || hasLease(before, c) && before[at(c) + LAPSED] == 0)) {
      return;
    }
    if (before[node + HOLDER] == token + 1) {
      byte[] freed = before.clone();
      freed[node + HOLDER] = NOBODY;
      come(freed);
    }
    boolean isReleased = !isPresent || is(before, c, Phase.ENDED);
    boolean own = before[node + HOLDER] == token + 1;
    int first = before[FIRST_AT + token];
    boolean unchanged = own && before[node + FENCE] == 2 * first + NUMBERS;
    if (isReleased && first > 0 && (unchanged || fault == Fault.RETURNED_BLINDLY)) {
      byte[] returned = before.clone();
      returned[node + HOLDER] = own ? NOBODY : before[node + HOLDER];
      returned[node + FENCE] = (byte) (2 * (first + before[USED_AT + token]));
      come(returned);
    }
  }
}
