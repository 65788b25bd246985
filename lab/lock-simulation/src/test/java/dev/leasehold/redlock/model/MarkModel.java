package dev.leasehold.redlock.model;

import dev.leasehold.redlock.model.MarkModel.Phase;
import dev.leasehold.redlock.model.MarkModel.Version;
import java.util.List;

/**
 * Waiters that mark a lock's value, and releases by the server's own compare-and-delete, on one
 * server. A waiter sleeps until it is woken, or until the lease or the reservation that it met has
 * expired. Clients die, give up, lose their leases, or are of a version that knows no marks. A
 * message comes at any time.
 */
final class MarkModel extends ClientModel<Version, Phase> {
  /** What may be wrong. */
  enum Fault {
    NONE,
    /** A waiter does not mark the value. */
    NOT_MARKED,
    /** A lock is granted unmarked though others wait. */
    GRANTED_UNMARKED,
    /** A waiter marks the value of a client that knows no marks. */
    OTHERS_MARKED,
    /** The native release does not compare. */
    NOT_COMPARED,
    /** A native release that deleted nothing is the end. */
    NO_SCRIPT
  }

  /** What a client may know. */
  enum Version {
    OLD,
    NEW
  }

  /** What it does. */
  enum Phase {
    FRESH,
    /** Its acquisition is under way. */
    ASKING,
    ASLEEP,
    HELD,
    /** Its native release is under way. */
    DELETING,
    /** Its release by the script is under way. */
    RELEASING,
    /** It gave up, and leaves the queue. */
    LEAVING,
    DEAD
  }

  // The client that has the lock, or for which it is reserved, by its number plus one; whether the
  // value is marked; the clients in the queue.
  private static final int HOLDER = 0;
  private static final int RESERVED = 1;
  private static final int MARKED = 2;
  private static final int QUEUE = 3;
  private static final int SERVER = 4;

  // Of a client, after its phase and attempts: whether its lease is lost.
  private static final int LOST = 2;
  private static final int CLIENT = 3;

  private final Fault fault;

  /** As the constructor of {@link ClientModel}. */
  MarkModel(List<Version> clients, int attempts, Fault fault) {
    super(clients, attempts, SERVER, CLIENT, Phase.values());
    this.fault = fault;
  }

  private boolean knowsMarks(int c) {
    return clients.get(c) == Version.NEW;
  }

  @Override
  void steps(byte[] s) {
    judge(s);
    expiries(s);
    for (int c = 0; c < clients.size(); c++) {
      Phase phase = phase(s, c);
      switch (phase) {
        case FRESH -> begins(s, c);
        case ASKING -> {
          asked(s.clone(), c);
          next(in(s, c, Phase.LEAVING));
        }
        case ASLEEP -> next(in(s, c, Phase.LEAVING));
        case HELD -> {
          next(in(s, c, Phase.RELEASING));
          if (knowsMarks(c)) {
            next(in(s, c, Phase.DELETING));
          }
        }
        case DELETING -> deleted(s.clone(), c);
        case RELEASING -> released(s.clone(), c);
        case LEAVING -> left(s.clone(), c);
        case DEAD -> {}
      }
      if (phase != Phase.DEAD && phase != Phase.FRESH) {
        next(in(s, c, Phase.DEAD)); // and nothing of it is under way any more
      }
    }
  }

  private void begins(byte[] s, int c) {
    if (mayBegin(s, c)) {
      byte[] asking = begun(s, c, Phase.ASKING);
      asking[at(c) + LOST] = 0;
      next(asking);
    }
  }

  private static boolean isFree(byte[] s) {
    return s[HOLDER] == 0 && s[RESERVED] == 0;
  }

  private void judge(byte[] s) {
    int holders = 0;
    boolean asking = false;
    boolean waits = false;
    boolean ends = false;
    for (int c = 0; c < clients.size(); c++) {
      holders += phase(s, c) == Phase.HELD && s[at(c) + LOST] == 0 ? 1 : 0;
      asking |= phase(s, c) == Phase.ASKING;
      waits |= phase(s, c) == Phase.ASLEEP && (knowsMarks(c) || fault == Fault.OTHERS_MARKED);
      ends |= s[HOLDER] == c + 1 && phase(s, c) == Phase.FRESH;
    }
    if (holders > 1) {
      broken("EX-1");
    }
    if (waits && !asking && (isFree(s) || ends) && fault != Fault.NOT_COMPARED) {
      broken("WA-8"); // asleep, and nothing will wake it before a lease expires
    }
  }

  /** Waiters know when what they met expires, and ask again then. */
  private void expiries(byte[] s) {
    if (isFree(s)) {
      return;
    }
    byte[] over = s.clone();
    if (s[HOLDER] > 0) {
      over[at(s[HOLDER] - 1) + LOST] = 1;
    }
    free(over);
    for (int c = 0; c < clients.size(); c++) {
      if (phase(over, c) == Phase.ASLEEP) {
        put(over, c, Phase.ASKING);
      }
    }
    next(over);
  }

  private static void free(byte[] s) {
    s[HOLDER] = 0;
    s[RESERVED] = 0;
    s[MARKED] = 0;
  }

  private void asked(byte[] s, int c) {
    if (isFree(s) || s[RESERVED] == c + 1) {
      free(s);
      clear(s, QUEUE, c);
      s[HOLDER] = (byte) (c + 1);
      boolean others = s[QUEUE] != 0 && fault != Fault.GRANTED_UNMARKED;
      s[MARKED] = (byte) (others && knowsMarks(c) ? 1 : 0);
      put(s, c, Phase.HELD);
    } else {
      set(s, QUEUE, c);
      boolean markable =
          s[HOLDER] > 0 && (knowsMarks(s[HOLDER] - 1) || fault == Fault.OTHERS_MARKED);
      if (markable && knowsMarks(c) && fault != Fault.NOT_MARKED) {
        s[MARKED] = 1;
      }
      put(s, c, Phase.ASLEEP);
    }
    next(s);
  }

  private void deleted(byte[] s, int c) {
    boolean isMine = s[HOLDER] == c + 1 && s[MARKED] == 0;
    put(s, c, isMine || fault == Fault.NO_SCRIPT ? Phase.FRESH : Phase.RELEASING);
    if (isMine || fault == Fault.NOT_COMPARED) {
      free(s);
    }
    next(s);
  }

  private void released(byte[] s, int c) {
    put(s, c, Phase.FRESH);
    if (s[HOLDER] == c + 1 && (knowsMarks(c) || s[MARKED] == 0)) {
      free(s);
      passOn(s);
    } else {
      next(s);
    }
  }

  private void left(byte[] s, int c) {
    put(s, c, Phase.FRESH);
    clear(s, QUEUE, c);
    if (isFree(s) || s[RESERVED] == c + 1) {
      free(s);
      passOn(s);
    } else {
      next(s);
    }
  }

  /** To any waiter, whatever the order: those that are dead are passed over. */
  private void passOn(byte[] free) {
    boolean woke = false;
    for (int w = 0; w < clients.size(); w++) {
      if (has(free[QUEUE], w) && phase(free, w) != Phase.DEAD) {
        byte[] s = free.clone();
        clear(s, QUEUE, w);
        s[RESERVED] = (byte) (w + 1);
        if (phase(s, w) == Phase.ASLEEP) {
          put(s, w, Phase.ASKING);
        }
        next(s);
        woke = true;
      }
    }
    if (!woke) {
      free[QUEUE] = 0;
      next(free);
    }
  }
}
