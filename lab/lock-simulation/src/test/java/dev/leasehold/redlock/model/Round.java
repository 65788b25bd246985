package dev.leasehold.redlock.model;

import dev.leasehold.redlock.model.Channel.Answer;
import java.util.function.UnaryOperator;

/**
 * One round of a client for the lock, with a token of its own.
 *
 * @param phase how far it is
 * @param elapsed ticks since it began to count its lease
 * @param renewing ticks since it asked for a renewal
 * @param renewals how often it may still renew
 * @param proposal the fence it proposes; or {@link ModelNode#LONG_AGO} for none
 * @param token the fence it writes back, and then has
 * @param overtaken whether another round was granted after this one began
 * @param wires to each node
 */
record Round(
    Phase phase,
    int elapsed,
    int renewing,
    int renewals,
    int proposal,
    int token,
    boolean overtaken,
    Channel[] channels) {

  /** How far a round is. */
  enum Phase {
    FRESH,
    /** It waits for a quorum of votes. */
    VOTING,
    /** The votes disagreed: it waits for a quorum that has kept the largest. */
    RAISING,
    /** It holds the lock. */
    HOLDING,
    /** It holds the lock, and has asked for more time. */
    RENEWING,
    /** Its time is up, and it need not know: it was paused, perhaps. */
    LATE,
    /** It has given up, or released. */
    OVER
  }

  static Round fresh(int renewals) {
    Channel[] idle = {Channel.IDLE, Channel.IDLE, Channel.IDLE};
    return new Round(
        Phase.FRESH, 0, 0, renewals, ModelNode.LONG_AGO, ModelNode.LONG_AGO, false, idle);
  }

  boolean is(Phase other) {
    return phase == other;
  }

  /** Whether it has asked for the lock and has not got it. */
  boolean isOpen() {
    return phase == Phase.VOTING || phase == Phase.RAISING;
  }

  /** Whether it may work under the lock. */
  boolean holds() {
    return phase == Phase.HOLDING || phase == Phase.RENEWING;
  }

  Round begin(int proposed) {
    return new Round(Phase.VOTING, 0, 0, renewals, proposed, token, false, each(Channel::ask));
  }

  Round raise(int largest) {
    return new Round(
        Phase.RAISING,
        elapsed,
        0,
        renewals,
        proposal,
        largest,
        overtaken,
        each(w -> w.answer() == Answer.HEARD && w.fence() == largest ? w : w.askToRaise()));
  }

  Round hold(int since, int granted) {
    return new Round(
        Phase.HOLDING, since, 0, renewals, proposal, granted, false, each(Channel::deaf));
  }

  Round renew() {
    return new Round(
        Phase.RENEWING,
        elapsed,
        0,
        renewals - 1,
        proposal,
        token,
        false,
        each(Channel::askToRenew));
  }

  /** A quorum has renewed: the others, which may have lost it, are asked to take it again. */
  Round renewed() {
    return new Round(
        Phase.HOLDING,
        renewing,
        0,
        renewals,
        token,
        token,
        false,
        each(w -> w.answer() == Answer.HEARD ? w.deaf() : w.deaf().ask()));
  }

  Round late() {
    return over(Phase.LATE, each(Channel::deaf));
  }

  Round end() {
    return over(Phase.OVER, each(Channel::askToRelease));
  }

  private Round over(Phase how, Channel[] left) {
    return new Round(how, 0, 0, 0, proposal, token, false, left);
  }

  Round overtake() {
    return new Round(phase, elapsed, renewing, renewals, proposal, token, true, channels);
  }

  Round with(int node, Channel channel) {
    Channel[] changed = channels.clone();
    changed[node] = channel;
    return new Round(phase, elapsed, renewing, renewals, proposal, token, overtaken, changed);
  }

  /** A tick of true time, which this client's clock shows too if it counts. */
  Round tick(boolean counts) {
    return new Round(
        phase,
        elapsed + (counts ? 1 : 0),
        renewing + (is(Phase.RENEWING) ? 1 : 0),
        renewals,
        ModelNode.earlier(proposal),
        ModelNode.earlier(token),
        overtaken,
        each(Channel::tick));
  }

  private Channel[] each(UnaryOperator<Channel> change) {
    Channel[] changed = new Channel[channels.length];
    for (int i = 0; i < changed.length; i++) {
      changed[i] = change.apply(channels[i]);
    }
    return changed;
  }

  /** The largest of the votes heard. */
  int largest() {
    int largest = ModelNode.LONG_AGO;
    for (Channel channel : channels) {
      if (channel.answer() == Answer.HEARD) {
        largest = Math.max(largest, channel.fence());
      }
    }
    return largest;
  }

  /** How many votes were heard that are at least this. */
  int heard(int least) {
    int count = 0;
    for (Channel channel : channels) {
      if (channel.answer() == Answer.HEARD && channel.fence() >= least) {
        count++;
      }
    }
    return count;
  }
}
