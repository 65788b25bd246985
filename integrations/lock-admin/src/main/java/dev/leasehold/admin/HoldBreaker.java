package dev.leasehold.admin;

import dev.leasehold.admin.Servers.Answer;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.redis.common.Replies;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.LongFunction;

/** Ends holds that were listed before. */
final class HoldBreaker {
  /**
   * The most attempts on a quorum: a renewal that is under way may restore the hold on a node that
   * was already freed.
   */
  private static final int ROUNDS = 3;

  private final Servers nodes;
  private final Layout layout;
  private final Showing showing;

  HoldBreaker(Servers nodes, Layout layout, Showing showing) {
    this.nodes = nodes;
    this.layout = layout;
    this.showing = showing;
  }

  BreakResult breakLock(String name, HoldId seen) {
    return end(name, seen, (hold, server) -> layout.release(name, hold, server), Replies::release);
  }

  BreakResult breakGently(String name, HoldId seen) {
    Optional<Merge.Found> found = showing.look(name).find(seen);
    if (found.isPresent() && layout.keep(name, found.get().stored()).isEmpty()) {
      return new BreakResult.NotPossible(
          found.get().hold().state() == HoldState.HELD
              ? "This kind of hold can't remain without its holder: break it, or wait for its end."
              : "This hold is not renewed: it ends by itself.");
    }
    return end(name, seen, (hold, server) -> layout.keep(name, hold).orElseThrow(), Replies::keep);
  }

  /** Releases everything that a token may hold, on all nodes; failures are ignored. */
  void release(String name, String token) {
    Stored.Hold hold =
        Stored.Hold.of(
            token, Side.ALL, HoldState.HELD, "", Optional.empty(), OptionalLong.empty(), false);
    nodes.askAll(server -> server.run(layout.release(name, hold, server)), "free a lock of");
  }

  private BreakResult end(
      String name,
      HoldId id,
      BiFunction<Stored.Hold, Server, LuaCall> how,
      LongFunction<ReleaseResult> meaning) {
    BreakResult result = new BreakResult.NotHeld();
    for (int round = 0; round < ROUNDS; round++) {
      Showing.Seen seen = showing.look(name);
      Optional<Merge.Found> found = seen.find(id);
      if (found.isEmpty()) {
        return seen.heldByOthers();
      }
      result = end(name, found.get(), how, meaning);
      if (!(result instanceof BreakResult.HeldByAnother other) || !other.has(id)) {
        return result; // else a renewal has changed the value meanwhile, which begins with a time
      }
    }
    return result;
  }

  private BreakResult end(
      String name,
      Merge.Found found,
      BiFunction<Stored.Hold, Server, LuaCall> how,
      LongFunction<ReleaseResult> meaning) {
    List<Integer> freed = new ArrayList<>();
    boolean woke = false;
    for (int round = 0; ; round++) {
      List<Answer<ReleaseResult>> answers =
          nodes.askAll(
              server ->
                  server
                      .run(how.apply(found.stored(), server))
                      .thenApply(reply -> meaning.apply((Long) reply)),
              "break a lock of");
      for (Answer<ReleaseResult> answer : answers) {
        if (answer.value() != null && answer.value() != ReleaseResult.NOT_OWNER) {
          woke |= answer.value() != ReleaseResult.RELEASED;
          if (!freed.contains(answer.node())) {
            freed.add(answer.node());
          }
        }
      }
      if (!nodes.isQuorum()) {
        return ofOne(name, found, answers.get(0), woke);
      }
      Optional<BreakResult> result = ofQuorum(name, found, answers, freed, woke, round);
      if (result.isPresent()) {
        return result.get();
      }
    }
  }

  private BreakResult ofOne(
      String name, Merge.Found found, Answer<ReleaseResult> answer, boolean woke) {
    if (answer.failure() != null) {
      throw answer.failure();
    }
    if (answer.value() == ReleaseResult.NOT_OWNER) {
      return showing.look(name).heldByOthers();
    }
    return broken(found, List.of(0), List.of(), woke);
  }

  private BreakResult.Broken broken(
      Merge.Found found, List<Integer> freed, List<NodeState> failed, boolean woke) {
    ListedHold hold = found.hold();
    return new BreakResult.Broken(
        hold, nodes.addresses(freed.stream().sorted().toList()), failed, woke, hold.believedFor());
  }

  /** Reads again what the nodes hold; empty if the hold still has a majority, or has one again. */
  private Optional<BreakResult> ofQuorum(
      String name,
      Merge.Found found,
      List<Answer<ReleaseResult>> answers,
      List<Integer> freed,
      boolean woke,
      int round) {
    List<NodeState> failed = new ArrayList<>();
    List<Integer> unknown = new ArrayList<>();
    for (Answer<ReleaseResult> answer : answers) {
      if (answer.failure() != null) {
        unknown.add(answer.node());
        failed.add(nodes.state(answer, List.of()));
      }
    }
    Servers.throwIfAllFailed(answers);
    Showing.Seen now = showing.look(name);
    List<Integer> mayHave =
        new ArrayList<>(now.find(found.hold().id()).map(Merge.Found::nodes).orElse(List.of()));
    unknown.stream().filter(node -> !mayHave.contains(node)).forEach(mayHave::add);
    if (!nodes.isEnough(mayHave)) {
      return Optional.of(freed.isEmpty() ? now.heldByOthers() : broken(found, freed, failed, woke));
    }
    return round + 1 < ROUNDS && unknown.isEmpty()
        ? Optional.empty()
        : Optional.of(new BreakResult.TooFewNodes(nodes.addresses(freed), failed));
  }
}
