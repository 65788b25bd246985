package dev.leasehold.redlock.model;

import dev.leasehold.redlock.model.Channel.Answer;
import dev.leasehold.redlock.model.Round.Phase;
import dev.leasehold.redlock.model.Rules.Freeing;
import java.util.Arrays;

/**
 * States as five longs: a column for each node, and two for what belongs to none.
 *
 * <p>Two things make one of states that differ in nothing that matters. The columns are sorted: the
 * nodes are alike, but for the wall clock, which is in the column. And what can have no effect any
 * more is left out: a token that no client will learn, a message without an effect.
 */
final class Codec {
  static final int LONGS = Rules.NODES + 2;
  private static final int FENCE_BITS = 7;
  private static final Phase[] PHASES = Phase.values();
  private static final Answer[] ANSWERS = Answer.values();

  private final Rules rules;

  Codec(Rules rules) {
    this.rules = rules;
  }

  long[] pack(State state) {
    return sorted(layOut(state));
  }

  /**
   * The same, of a state one step after another that was unpacked from this key. Most steps leave
   * two columns of three as they were: these are taken from there.
   */
  long[] pack(State state, State before, long[] keyBefore) {
    long[] key = new long[LONGS];
    for (int n = 0; n < Rules.NODES; n++) {
      key[n] = isSameColumn(state, before, n) ? keyBefore[n] : column(state, n);
    }
    layOutRest(state, key);
    return sorted(key);
  }

  private static boolean isSameColumn(State state, State before, int n) {
    if (state.nodes()[n] != before.nodes()[n]) {
      return false;
    }
    for (int r = 0; r < state.rounds().length; r++) {
      if (state.rounds()[r].channels()[n] != before.rounds()[r].channels()[n]) {
        return false;
      }
    }
    return true;
  }

  private static long[] sorted(long[] key) {
    Arrays.sort(key, 0, Rules.NODES);
    return key;
  }

  /** Without what can't matter, but with the nodes in their places. */
  State tidy(State state) {
    return unpack(layOut(state));
  }

  private long[] layOut(State state) {
    long[] key = new long[LONGS];
    for (int n = 0; n < Rules.NODES; n++) {
      key[n] = column(state, n);
    }
    layOutRest(state, key);
    return key;
  }

  private static void layOutRest(State state, long[] key) {
    Bits low = new Bits(0);
    Bits high = new Bits(0);
    for (int r = 0; r < state.rounds().length; r++) {
      scalars(r < 2 ? low : high, state.rounds()[r]);
    }
    fence(high, state.granted() < 0 && !isTokenOpen(state) ? ModelNode.LONG_AGO : state.granted());
    high.put(state.crashes(), 2).put(state.jumps(), 2).put(state.repeats(), 2);
    key[Rules.NODES] = low.value();
    key[Rules.NODES + 1] = high.value();
  }

  /** Whether a round may yet get a token that is older than what the clocks show. */
  private static boolean isTokenOpen(State state) {
    for (Round round : state.rounds()) {
      for (Channel channel : round.channels()) {
        if (round.is(Phase.RAISING) || channel.answer() != Answer.NONE) {
          return true;
        }
      }
    }
    return false;
  }

  private long column(State state, int n) {
    ModelNode node = state.nodes()[n];
    Bits bits = new Bits(0);
    bits.put(node.holder(), 3).put(node.left(), 3).put(node.hurried(), 1);
    boolean repeats =
        node.holder() < ModelNode.SILENCE && state.rounds()[node.holder()].channels()[n].acquire();
    fence(bits, node.fence() < 0 && !repeats ? ModelNode.LONG_AGO : node.fence());
    bits.put(node.ahead() == 0 ? 0 : 1, 1);
    for (int r = 0; r < state.rounds().length; r++) {
      Channel channel = state.rounds()[r].channels()[n];
      boolean heeded = channel.acquire() || node.holder() == r;
      int asked =
          (channel.acquire() ? 1 : 0)
              | (channel.raise() && heeded ? 2 : 0)
              | (channel.renew() && heeded ? 4 : 0)
              | (channel.release() && (heeded || rules.freeing == Freeing.ANYBODY) ? 8 : 0);
      bits.put(asked, 4).put(channel.answer().ordinal(), 2);
      fence(bits, channel.fence());
    }
    return bits.value();
  }

  private static void scalars(Bits bits, Round round) {
    boolean proposes = false;
    boolean raises =
        round.is(Phase.RAISING)
            || (round.holds() && round.renewals() > 0)
            || round.is(Phase.RENEWING);
    for (Channel channel : round.channels()) {
      proposes |= channel.acquire();
      raises |= channel.raise();
    }
    bits.put(round.phase().ordinal(), 3).put(round.elapsed(), 3);
    bits.put(round.renewing(), 3).put(round.renewals(), 1);
    bits.put(round.overtaken() ? 1 : 0, 1);
    fence(bits, proposes ? round.proposal() : ModelNode.LONG_AGO);
    fence(bits, raises ? round.token() : ModelNode.LONG_AGO);
  }

  private static void fence(Bits bits, int fence) {
    bits.put(fence - ModelNode.LONG_AGO, FENCE_BITS);
  }

  State unpack(long[] key) {
    Bits[] columns = new Bits[Rules.NODES];
    ModelNode[] nodes = new ModelNode[Rules.NODES];
    for (int n = 0; n < nodes.length; n++) {
      columns[n] = new Bits(key[n]);
      int holder = columns[n].take(3);
      int left = columns[n].take(3);
      int hurried = columns[n].take(1);
      int fence = fence(columns[n]);
      nodes[n] = new ModelNode(holder, left, hurried, fence, columns[n].take(1) * rules.ahead);
    }
    Bits low = new Bits(key[Rules.NODES]);
    Bits high = new Bits(key[Rules.NODES + 1]);
    Round[] rounds = new Round[rules.allRounds()];
    for (int r = 0; r < rounds.length; r++) {
      rounds[r] = round(r < 2 ? low : high, columns);
    }
    return new State(nodes, rounds, fence(high), high.take(2), high.take(2), high.take(2));
  }

  private static Round round(Bits bits, Bits[] columns) {
    Phase phase = PHASES[bits.take(3)];
    int elapsed = bits.take(3);
    int renewing = bits.take(3);
    int renewals = bits.take(1);
    boolean overtaken = bits.take(1) == 1;
    int proposal = fence(bits);
    int token = fence(bits);
    Channel[] channels = new Channel[columns.length];
    for (int n = 0; n < channels.length; n++) {
      Bits column = columns[n];
      boolean acquire = column.take(1) == 1;
      boolean raise = column.take(1) == 1;
      boolean renew = column.take(1) == 1;
      boolean release = column.take(1) == 1;
      Answer answer = ANSWERS[column.take(2)];
      channels[n] = new Channel(acquire, raise, renew, release, answer, fence(column));
    }
    return new Round(phase, elapsed, renewing, renewals, proposal, token, overtaken, channels);
  }

  private static int fence(Bits bits) {
    return bits.take(FENCE_BITS) + ModelNode.LONG_AGO;
  }
}
