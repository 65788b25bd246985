package dev.leasehold.redlock.model;

import dev.leasehold.redlock.model.Channel.Answer;
import dev.leasehold.redlock.model.Round.Phase;
import dev.leasehold.redlock.model.Rules.Counting;
import dev.leasehold.redlock.model.Rules.Freeing;
import dev.leasehold.redlock.model.Rules.Scope;
import java.util.function.Consumer;

/**
 * All that can happen next. Clients and nodes take a step whenever they like, or never: so they may
 * be slow, be paused, or have died, and messages may be late or lost. Only time can't be stopped.
 */
final class Protocol {
  private final Rules rules;
  private final Consumer<Step> to;

  Protocol(Rules rules, Consumer<Step> to) {
    this.rules = rules;
    this.to = to;
  }

  void stepsFrom(State state) {
    for (int r = 0; r < state.rounds().length; r++) {
      client(state, r);
      for (int n = 0; n < Rules.NODES; n++) {
        arrivals(state, r, n);
      }
    }
    for (int n = 0; n < Rules.NODES; n++) {
      faults(state, n);
    }
    tick(state);
  }

  private void step(String what, int round, int node, State next) {
    to.accept(new Step(what, round, node, next, ""));
  }

  // ------------------------------------------------------------------ clients

  private void client(State state, int r) {
    Round round = state.rounds()[r];
    switch (round.phase()) {
      case FRESH -> {
        if (rules.isFirst(r) || state.rounds()[r - 1].is(Phase.OVER)) {
          step("asks all", r, -1, state.with(r, round.begin(rules.proposal(r))));
        }
      }
      case VOTING, RAISING -> {
        for (int n = 0; n < Rules.NODES; n++) {
          Channel channel = round.channels()[n];
          if (channel.answer() == Answer.SENT) {
            decide(state.with(r, round.with(n, channel.heard())), r, n);
          }
        }
        step("gives up", r, -1, state.with(r, round.end()));
      }
      case HOLDING, RENEWING -> {
        renewal(state, r);
        step("releases", r, -1, state.with(r, round.end()));
      }
      case LATE -> step("releases", r, -1, state.with(r, round.end()));
      case OVER -> {
        // that was it
      }
    }
  }

  private void renewal(State state, int r) {
    Round round = state.rounds()[r];
    if (round.is(Phase.HOLDING)) {
      if (round.renewals() > 0) {
        step("asks all to renew", r, -1, state.with(r, round.renew()));
      }
      return;
    }
    for (int n = 0; n < Rules.NODES; n++) {
      Channel channel = round.channels()[n];
      if (channel.answer() == Answer.SENT) {
        Round heard = round.with(n, channel.heard());
        if (heard.heard(ModelNode.LONG_AGO) < rules.quorum) {
          step("hears it", r, n, state.with(r, heard));
        } else {
          step("hears it, and has renewed", r, n, state.with(r, heard.renewed()));
        }
      }
    }
  }

  /** An answer was heard: is it enough? */
  private void decide(State state, int r, int n) {
    Round round = state.rounds()[r];
    int token = round.is(Phase.RAISING) ? round.token() : round.largest();
    if (round.heard(ModelNode.LONG_AGO) < rules.quorum) {
      step("hears it", r, n, state);
    } else if (round.heard(token) >= rules.quorum) {
      grant(state, r, n, token);
    } else if (round.is(Phase.VOTING)) {
      step("hears it; the votes differ: writes back", r, n, state.with(r, round.raise(token)));
    } else {
      step("hears it", r, n, state);
    }
  }

  private void grant(State state, int r, int n, int token) {
    Round round = state.rounds()[r];
    String broken = "";
    for (Round other : state.rounds()) {
      if (other.holds() && rules.scope == Scope.ALL) {
        broken = "two hold the lock";
      }
    }
    if (token <= state.granted()
        && state.granted() > ModelNode.LONG_AGO
        && (rules.scope == Scope.ALL || !round.overtaken())) {
      broken = "the token is not larger than one before";
    }
    int since = rules.counting == Counting.DECISION ? 0 : round.elapsed();
    State next = state.with(r, round.hold(since, token)).granted(token);
    to.accept(new Step("hears it, and has the lock", r, n, next, broken));
  }

  // ------------------------------------------------------------------ nodes

  /**
   * Messages that get there, each perhaps once more later. One that changes nothing there is no
   * step: it may as well be on its way for ever.
   */
  private void arrivals(State state, int r, int n) {
    Channel channel = state.rounds()[r].channels()[n];
    if (channel.acquire()) {
      acquire(state, r, n, channel.acquired());
    }
    if (channel.raise()) {
      raise(state, r, n, channel.raised());
    }
    if (channel.renew()) {
      renew(state, r, n, channel.renewed());
    }
    if (channel.release()) {
      release(state, r, n, channel.released());
    }
    if (state.repeats() > 0) {
      if (channel.acquire()) {
        acquire(state.repeated(), r, n, channel);
      }
      if (channel.raise()) {
        raise(state.repeated(), r, n, channel);
      }
      if (channel.renew()) {
        renew(state.repeated(), r, n, channel);
      }
      if (channel.release()) {
        release(state.repeated(), r, n, channel);
      }
    }
  }

  private void acquire(State state, int r, int n, Channel channel) {
    Round round = state.rounds()[r];
    ModelNode node = state.nodes()[n];
    if (node.holder() == ModelNode.NOBODY || node.holder() == r) {
      ModelNode granted = node.grant(r, rules.lease, round.proposal());
      Channel back = round.isOpen() ? channel.answered(granted.fence()) : channel;
      step("grants", r, n, state.with(n, granted).with(r, round.with(n, back)));
    }
  }

  private void raise(State state, int r, int n, Channel channel) {
    Round round = state.rounds()[r];
    ModelNode node = state.nodes()[n];
    if (node.holder() == r) {
      Channel back = round.isOpen() ? channel.answered(round.token()) : channel;
      State next = state.with(n, node.raise(round.token())).with(r, round.with(n, back));
      step("keeps the token", r, n, next);
    }
  }

  private void renew(State state, int r, int n, Channel channel) {
    Round round = state.rounds()[r];
    ModelNode node = state.nodes()[n];
    if (node.holder() == r) {
      Channel back = round.is(Phase.RENEWING) ? channel.answered(ModelNode.LONG_AGO) : channel;
      State next = state.with(n, node.renew(rules.lease)).with(r, round.with(n, back));
      step("renews", r, n, next);
    }
  }

  private void release(State state, int r, int n, Channel channel) {
    ModelNode node = state.nodes()[n];
    boolean frees =
        node.holder() == r
            || (rules.freeing == Freeing.ANYBODY && node.holder() < ModelNode.SILENCE);
    if (frees) {
      step("frees", r, n, state.with(n, node.free()).with(r, state.rounds()[r].with(n, channel)));
    }
  }

  private void faults(State state, int n) {
    ModelNode node = state.nodes()[n];
    if (state.crashes() > 0) {
      State next = state.crashed().with(n, node.restart(rules.quarantine));
      step("restarts without its data", -1, n, next);
    }
    if (node.left() > 0 && node.hurried() < rules.drift) {
      step("its clock runs ahead", -1, n, state.with(n, node.hurry()));
    }
    if (node.left() > 0 && state.jumps() > 0) {
      step("its clock jumps", -1, n, state.jumped().with(n, node.free()));
    }
  }

  // ------------------------------------------------------------------ time

  private void tick(State state) {
    ModelNode[] nodes = new ModelNode[Rules.NODES];
    for (int n = 0; n < nodes.length; n++) {
      nodes[n] = state.nodes()[n].tick();
    }
    Round[] rounds = new Round[state.rounds().length];
    for (int r = 0; r < rounds.length; r++) {
      rounds[r] = tick(state.rounds()[r]);
    }
    int granted = ModelNode.earlier(state.granted());
    State next = new State(nodes, rounds, granted, state.crashes(), state.jumps(), state.repeats());
    step("a tick passes", -1, -1, next);
  }

  private Round tick(Round round) {
    boolean begun = round.isOpen() || round.holds();
    boolean deaf = round.is(Phase.VOTING) && round.heard(ModelNode.LONG_AGO) == 0;
    boolean counts =
        begun
            && !(rules.counting == Counting.FIRST_ANSWER && deaf)
            && !(rules.counting == Counting.DECISION && round.isOpen());
    Round next = round.tick(counts);
    return begun && next.elapsed() >= rules.validity() ? next.late() : next;
  }
}
