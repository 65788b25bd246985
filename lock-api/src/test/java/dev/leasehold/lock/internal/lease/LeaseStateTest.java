package dev.leasehold.lock.internal.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.internal.lease.LeaseState.Effect;
import dev.leasehold.lock.internal.lease.LeaseState.Event;
import dev.leasehold.lock.internal.lease.LeaseState.Phase;
import dev.leasehold.lock.internal.lease.LeaseState.Step;
import dev.leasehold.lock.internal.lease.LeaseState.Successor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A lease between its holds, in every order of events")
class LeaseStateTest {
  private static final int NUMBERS = 2;
  private static final List<Boolean> BOTH = List.of(false, true);

  /** The state machine, or a wrong one that a twin tries. */
  private interface Machine extends BiFunction<LeaseState, Event, Step> {}

  /**
   * A lease, and what is true around it.
   *
   * @param held whether an owner of this process holds it
   * @param holds the number of holds that have begun
   * @param timer whether a timer runs that ends its idle time
   * @param renewal whether a renewal before a hand-over is under way
   * @param releases the number of releases that were sent
   * @param gone whether the store has said that it no longer has it
   * @param asked whether another manager has asked for it
   */
  private record World(
      LeaseState state,
      boolean held,
      int holds,
      boolean timer,
      boolean renewal,
      int releases,
      boolean gone,
      boolean asked) {
    static World first(boolean wanted) {
      return new World(
          LeaseState.granted(NUMBERS, wanted), true, 1, false, false, 0, false, wanted);
    }

    World left() {
      return new World(state, false, holds, timer, renewal, releases, gone, asked);
    }

    World answered(boolean confirmed) {
      return new World(state, held, holds, timer, false, releases, !confirmed, asked);
    }

    World lostByStore() {
      return new World(state, false, holds, timer, renewal, releases, true, asked);
    }

    World recalled() {
      return new World(state, held, holds, timer, renewal, releases, gone, true);
    }

    World after(Step step) {
      LeaseState next = step.state();
      return switch (step.effect()) {
        case NONE -> new World(next, held, holds, timer, renewal, releases, gone, asked);
        case PASS_ON, TAKE ->
            new World(next, true, holds + 1, false, renewal, releases, gone, asked);
        case RENEW -> new World(next, held, holds, timer, true, releases, gone, asked);
        case KEEP -> new World(next, held, holds, true, renewal, releases, gone, asked);
        case RELEASE, GIVE_BACK, DISCARD ->
            new World(next, held, holds, false, renewal, releases + 1, gone, asked);
        case DROP -> new World(next, held, holds, false, renewal, releases, gone, asked);
      };
    }
  }

  /** Explores all worlds that can follow from a grant. Fails at the first that must not be. */
  private static int explore(Machine machine) {
    Set<World> seen = new HashSet<>(Set.of(World.first(false), World.first(true)));
    ArrayDeque<World> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      World world = open.remove();
      for (World next : next(machine, world)) {
        check(world, next);
        if (seen.add(next)) {
          open.add(next);
        }
      }
    }
    return seen.size();
  }

  private static List<World> next(Machine machine, World w) {
    List<World> all = new ArrayList<>();
    // These come at any time, late ones included.
    all.add(on(machine, w.recalled(), new Event.Recalled()));
    all.add(on(machine, w, new Event.TimeUp()));
    if (!w.renewal) {
      all.add(on(machine, w.left(), new Event.Unused()));
      all.add(on(machine, w.lostByStore(), new Event.Gone()));
    }
    if (w.held) {
      all.add(on(machine, w, new Event.StandsBeside()));
    }
    if (w.held || w.state.phase() == Phase.ENDED) {
      for (Successor successor : Successor.values()) {
        for (boolean lingers : BOTH) {
          all.add(on(machine, w.left(), new Event.Left(successor, lingers)));
        }
      }
    }
    for (boolean suits : BOTH) {
      if (w.renewal) {
        for (boolean confirmed : BOTH) {
          all.add(on(machine, w.answered(confirmed), new Event.Renewed(confirmed, suits)));
        }
      } else if (w.timer) {
        all.add(on(machine, w, new Event.Claimed(suits)));
      }
    }
    return all;
  }

  private static World on(Machine machine, World w, Event event) {
    return w.after(machine.apply(w.state, event));
  }

  private static void check(World before, World w) {
    String how = before + " -> " + w;
    LeaseState s = w.state;
    assertTrue(w.releases <= 1, () -> "released twice: " + how);
    assertTrue(!w.held || w.releases == 0, () -> "held after its release: " + how);
    assertTrue(!w.held || !w.gone, () -> "held though the store lost it: " + how);
    boolean free = !w.held && !w.renewal && !w.timer;
    assertTrue(!free || w.releases == 1 || w.gone, () -> "left on the store: " + how);
    assertEquals(free, s.phase() == Phase.ENDED, how);
    assertEquals(w.timer, s.phase() == Phase.IDLE, how);
    assertEquals(w.renewal, s.phase() == Phase.PASSING, how);
    assertEquals(w.holds - 1, s.used(), () -> "a number used twice, or none: " + how);
    assertTrue(s.used() <= NUMBERS, () -> "more numbers than were reserved: " + how);
    assertTrue(!w.timer || !w.asked, () -> "kept from another manager: " + how);
    assertTrue(w.holds == before.holds || !s.beside(), () -> "passed on from beside: " + how);
  }

  @Test
  @DisplayName("is released once, takes a new number for each hold, and is not kept from others")
  void everyOrder() {
    int worlds = explore(LeaseState::on);
    assertTrue(worlds > 40, () -> worlds + " worlds");
  }

  private static void assertFound(Machine wrong) {
    assertThrows(AssertionError.class, () -> explore(wrong));
  }

  private static LeaseState with(LeaseState s, Phase phase, int used, boolean beside) {
    return new LeaseState(phase, used, s.numbers(), beside, s.wanted());
  }

  @Test
  @DisplayName("Twins, each wrong in one transition, are caught")
  void twins() {
    assertFound( // a lease that ended is released again
        (s, event) ->
            s.phase() == Phase.ENDED && event instanceof Event.Unused
                ? new Step(s, Effect.DISCARD)
                : s.on(event));
    assertFound( // a recall of an idle lease is forgotten
        (s, event) -> event instanceof Event.Recalled ? new Step(s, Effect.NONE) : s.on(event));
    assertFound( // a recall of a held lease is forgotten when that ends
        (s, event) -> {
          LeaseState unwanted = new LeaseState(s.phase(), s.used(), NUMBERS, s.beside(), false);
          return (event instanceof Event.Left ? unwanted : s).on(event);
        });
    assertFound( // the next hold has the number of the one before
        (s, event) -> {
          Step step = s.on(event);
          return step.effect() == Effect.PASS_ON
              ? new Step(with(step.state(), Phase.HELD, s.used(), s.beside()), Effect.PASS_ON)
              : step;
        });
    assertFound( // numbers run out
        (s, event) -> {
          Step step = new LeaseState(s.phase(), s.used(), 9, s.beside(), s.wanted()).on(event);
          LeaseState next = step.state();
          return new Step(with(s, next.phase(), next.used(), next.beside()), step.effect());
        });
    assertFound( // it passes on although another lease stands beside it
        (s, event) -> {
          Step step = with(s, s.phase(), s.used(), false).on(event);
          LeaseState next = step.state();
          boolean beside = s.beside() || next.beside();
          return new Step(with(next, next.phase(), next.used(), beside), step.effect());
        });
    assertFound( // an unconfirmed renewal is good enough
        (s, event) ->
            event instanceof Event.Renewed renewed
                ? s.on(new Event.Renewed(true, renewed.suits()))
                : s.on(event));
    assertFound( // a late timer ends a lease that is held again
        (s, event) ->
            event instanceof Event.TimeUp && s.phase() == Phase.HELD
                ? new Step(with(s, Phase.ENDED, s.used(), s.beside()), Effect.GIVE_BACK)
                : s.on(event));
  }

  private static Effect effect(Event... events) {
    Step step = new Step(LeaseState.granted(NUMBERS, false), Effect.NONE);
    for (Event event : events) {
      step = step.state().on(event);
    }
    return step.effect();
  }

  @Test
  @DisplayName("A waiter goes before the linger time, and that before the release")
  void precedence() {
    assertEquals(Effect.PASS_ON, effect(new Event.Left(Successor.READY, true)));
    assertEquals(Effect.RENEW, effect(new Event.Left(Successor.AFTER_RENEWAL, true)));
    assertEquals(Effect.KEEP, effect(new Event.Left(Successor.NONE, true)));
    assertEquals(Effect.RELEASE, effect(Event.Left.FOR_GOOD));
  }

  @Test
  @DisplayName("The caller waits for the release of its last hold, and for no other")
  void releases() {
    Event kept = new Event.Left(Successor.NONE, true);
    Event renews = new Event.Left(Successor.AFTER_RENEWAL, false);
    assertEquals(Effect.GIVE_BACK, effect(kept, new Event.TimeUp()));
    assertEquals(Effect.GIVE_BACK, effect(kept, new Event.Recalled()));
    assertEquals(Effect.GIVE_BACK, effect(kept, new Event.Claimed(false)));
    assertEquals(Effect.GIVE_BACK, effect(renews, new Event.Renewed(true, false)));
    assertEquals(Effect.DROP, effect(renews, new Event.Renewed(false, false)));
    assertEquals(Effect.DISCARD, effect(kept, new Event.Unused()));
    assertEquals(Effect.DROP, effect(kept, new Event.Gone()));
    assertEquals(Effect.NONE, effect(Event.Left.FOR_GOOD, new Event.Unused()));
  }

  @Test
  @DisplayName("Impossible events are refused")
  void impossible() {
    assertThrows(IllegalStateException.class, () -> effect(new Event.Claimed(true)));
    assertThrows(IllegalStateException.class, () -> effect(new Event.Renewed(true, true)));
    Event kept = new Event.Left(Successor.NONE, true);
    assertThrows(IllegalStateException.class, () -> effect(kept, kept));
    assertThrows(IllegalStateException.class, () -> effect(kept, new Event.StandsBeside()));
    Event renews = new Event.Left(Successor.AFTER_RENEWAL, false);
    assertThrows(IllegalStateException.class, () -> effect(renews, new Event.Unused()));
  }
}
