package dev.leasehold.redlock.model;

import dev.leasehold.redlock.model.CommandModel.Phase;
import dev.leasehold.redlock.model.CommandModel.Way;
import java.util.List;

/**
 * Locks by single commands, on one server, beside clients that acquire by a script. A client
 * reserves the lock, reads the fence, replaces its reservation by its token, and then the fence;
 * other clients' commands come between. If that fails, or has no answer, it asks again with the
 * same token. Leases and reservations expire at any time. A client gives up at any time, and what
 * it has sent arrives later, or never. The clock stands still: it could only make fences larger.
 */
final class CommandModel extends ClientModel<Way, Phase> {
  /** What may be wrong. */
  enum Fault {
    NONE,
    /** The fence is replaced before the reservation. */
    FENCE_FIRST,
    /** A fence replaces whatever is there. */
    FENCE_NOT_COMPARED,
    /** A token replaces whatever is there. */
    TOKEN_NOT_COMPARED,
    /** The lock is granted even if the fence could not be replaced. */
    GRANTED_WITHOUT_FENCE,
    /**
     * The first step takes the lock itself, and the second does not ask whether it still has it.
     */
    NOT_CONFIRMED
  }

  /** How a client acquires. */
  enum Way {
    COMMANDS,
    SCRIPT
  }

  /** Which of its commands comes next. */
  enum Phase {
    FRESH,
    RESERVING,
    READING,
    CONFIRMING,
    FENCING,
    HELD
  }

  // The lock's value: 0 if it is free, else twice the token, plus one once it is confirmed. The
  // fence, and the largest one that was granted.
  private static final int VALUE = 0;
  private static final int FENCE = 1;
  private static final int GRANTED = 2;
  private static final int SERVER = 3;

  // Of a client, after its phase and attempts: the fence that it has read; whether it has replaced
  // it; whether its lease is lost; whether it has asked again. Then what it has sent and given up:
  // which commands, of which
  // token, with which fence.
  private static final int SEEN = 2;
  private static final int WROTE = 3;
  private static final int LOST = 4;
  private static final int REPEATED = 5;
  private static final int LATE = 6;
  private static final int LATE_TOKEN = 7;
  private static final int LATE_SEEN = 8;
  private static final int CLIENT = 9;

  // Bits of LATE.
  private static final int RESERVE = 0;
  private static final int REPLACE = 1;
  private static final int CONFIRM = 2;

  private final Fault fault;

  /** As the constructor of {@link ClientModel}. */
  CommandModel(List<Way> clients, int attempts, Fault fault) {
    super(clients, attempts, SERVER, CLIENT, Phase.values());
    this.fault = fault;
  }

  /** The token of a client's latest attempt, from one on. */
  private int token(byte[] s, int c) {
    return c * attempts + s[at(c) + BEGUN];
  }

  private static boolean isOf(byte[] s, int token) {
    return s[VALUE] >> 1 == token;
  }

  private static byte reserved(int token) {
    return (byte) (2 * token);
  }

  private static byte held(int token) {
    return (byte) (2 * token + 1);
  }

  @Override
  void steps(byte[] s) {
    judge(s);
    expires(s);
    for (int c = 0; c < clients.size(); c++) {
      Phase phase = phase(s, c);
      switch (phase) {
        case FRESH -> begins(s, c);
        case RESERVING -> reserves(s, c);
        case READING -> reads(s, c);
        case CONFIRMING -> confirms(s, c);
        case FENCING -> replaces(s, c);
        case HELD -> releases(s, c, 1 << RESERVE); // a copy of its first command may be under way
      }
      if (phase != Phase.FRESH && phase != Phase.HELD) {
        releases(s, c, underWay(phase));
        asksAgain(with(s, c, underWay(phase) | 1 << RESERVE), c);
      }
      late(s, c);
    }
  }

  private void judge(byte[] s) {
    int holders = 0;
    for (int c = 0; c < clients.size(); c++) {
      holders += phase(s, c) == Phase.HELD && s[at(c) + LOST] == 0 ? 1 : 0;
    }
    if (holders > 1) {
      broken("EX-1");
    }
  }

  private void expires(byte[] s) {
    if (s[VALUE] != 0) {
      byte[] over = s.clone();
      over[VALUE] = 0;
      for (int c = 0; c < clients.size(); c++) {
        if (phase(s, c) == Phase.HELD && isOf(s, token(s, c))) {
          over[at(c) + LOST] = 1;
        }
      }
      next(over);
    }
  }

  private void begins(byte[] before, int c) {
    if (!mayBegin(before, c)) {
      return;
    }
    byte[] s = begun(before, c, Phase.RESERVING);
    s[at(c) + LOST] = 0;
    s[at(c) + REPEATED] = 0;
    if (clients.get(c) == Way.COMMANDS) {
      next(s);
    } else if (s[VALUE] == 0) {
      s[VALUE] = held(token(s, c));
      int fence = s[FENCE];
      s[FENCE] += (byte) numbers(c);
      granted(s, c, fence);
    }
  }

  /** How many numbers a grant draws: some clients draw further ones for hand-overs. */
  private static int numbers(int c) {
    return 1 + c % 2;
  }

  /** With the numbers after this one. */
  private void granted(byte[] before, int c, int last) {
    if (last < before[GRANTED]) {
      broken("FE-1");
    }
    byte[] s = in(before, c, Phase.HELD);
    // Its time counts from its first command: it knows that a lease has ended which the server has
    // let go since.
    s[at(c) + LOST] = (byte) (isOf(s, token(s, c)) || fault == Fault.NOT_CONFIRMED ? 0 : 1);
    s[GRANTED] = (byte) Math.max(last + numbers(c), s[GRANTED]);
    next(s);
  }

  private void reserves(byte[] s, int c) {
    int token = token(s, c);
    if (s[VALUE] != 0 && !isOf(s, token)) {
      next(in(s, c, Phase.FRESH)); // refused
      return;
    }
    byte[] mine = in(s, c, Phase.READING);
    if (s[VALUE] == 0) {
      mine[VALUE] = fault == Fault.NOT_CONFIRMED ? held(token) : reserved(token);
    }
    next(mine);
  }

  private void reads(byte[] before, int c) {
    boolean fenceNext = fault == Fault.FENCE_FIRST || fault == Fault.NOT_CONFIRMED;
    byte[] s = in(before, c, fenceNext ? Phase.FENCING : Phase.CONFIRMING);
    s[at(c) + SEEN] = s[FENCE];
    s[at(c) + WROTE] = 0;
    next(s);
  }

  private void confirms(byte[] before, int c) {
    int token = token(before, c);
    if (!isOf(before, token) && fault != Fault.TOKEN_NOT_COMPARED) {
      asksAgain(before, c);
      return;
    }
    byte[] s = in(before, c, Phase.FENCING);
    s[VALUE] = held(token);
    if (fault != Fault.FENCE_FIRST) {
      next(s);
    } else if (s[at(c) + WROTE] == 1) {
      granted(s, c, s[at(c) + SEEN]);
    } else {
      asksAgain(s, c);
    }
  }

  private void replaces(byte[] before, int c) {
    byte[] s = in(before, c, Phase.CONFIRMING);
    boolean there = s[FENCE] == s[at(c) + SEEN] || fault == Fault.FENCE_NOT_COMPARED;
    if (there) {
      s[FENCE] = (byte) (s[at(c) + SEEN] + numbers(c));
      s[at(c) + WROTE] = 1;
    }
    if (fault == Fault.FENCE_FIRST) {
      next(s);
    } else if (there || fault == Fault.GRANTED_WITHOUT_FENCE) {
      granted(s, c, s[at(c) + SEEN]);
    } else {
      asksAgain(s, c);
    }
  }

  /** With the same token, once; then it gives up. */
  private void asksAgain(byte[] before, int c) {
    if (before[at(c) + REPEATED] == 0) {
      byte[] s = in(before, c, Phase.RESERVING);
      s[at(c) + REPEATED] = 1;
      next(s);
    } else {
      releases(before, c, 0);
    }
  }

  private static int underWay(Phase phase) {
    return switch (phase) {
      case RESERVING -> 1 << RESERVE;
      case CONFIRMING, FENCING -> 1 << REPLACE | 1 << CONFIRM;
      default -> 0;
    };
  }

  /** Gives the lock back, whatever of it there is, while these commands may still arrive. */
  private void releases(byte[] before, int c, int late) {
    byte[] s = in(before, c, Phase.FRESH);
    if (isOf(s, token(s, c))) {
      s[VALUE] = 0;
    }
    next(s);
    if (late != 0 && clients.get(c) == Way.COMMANDS) {
      next(with(s, c, late));
    }
  }

  /** The same while these commands of a client's latest token may still arrive. */
  private byte[] with(byte[] before, int c, int late) {
    byte[] s = before.clone();
    s[at(c) + LATE] = (byte) late;
    s[at(c) + LATE_TOKEN] = (byte) token(s, c);
    s[at(c) + LATE_SEEN] = s[at(c) + SEEN];
    return s;
  }

  private void late(byte[] before, int c) {
    int bits = before[at(c) + LATE];
    int token = before[at(c) + LATE_TOKEN];
    for (int bit = RESERVE; bit <= CONFIRM; bit++) {
      if (!has(bits, bit)) {
        continue;
      }
      byte[] s = before.clone();
      clear(s, at(c) + LATE, bit);
      if (bit == RESERVE && s[VALUE] == 0) {
        s[VALUE] = reserved(token);
      } else if (bit == REPLACE
          && (s[FENCE] == s[at(c) + LATE_SEEN] || fault == Fault.FENCE_NOT_COMPARED)) {
        s[FENCE] = (byte) (s[at(c) + LATE_SEEN] + numbers(c));
      } else if (bit == CONFIRM && isOf(s, token)) {
        s[VALUE] = held(token);
      }
      next(s);
    }
  }
}
