package dev.leasehold.lock.internal.acquire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.internal.acquire.RequestState.Effect;
import dev.leasehold.lock.internal.acquire.RequestState.Event;
import dev.leasehold.lock.internal.acquire.RequestState.Phase;
import dev.leasehold.lock.internal.acquire.RequestState.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A waiter's request to the store, in every order of events")
class RequestStateTest {
  private static final LockException WHY =
      new LockStoreException(LockStoreException.Kind.TIMED_OUT, "no answer");

  private static final List<Boolean> BOTH = List.of(false, true);

  /** The state machine, or a wrong one that a twin tries. */
  private interface Machine extends BiFunction<RequestState, Event, Step> {}

  /**
   * A request, and what is true around it.
   *
   * @param timer whether a timer runs that ends its pause
   * @param underWay whether a request is on its way to the store
   * @param inLine whether the store may have the token in its queue
   * @param granted whether the store may have granted the token, and no lease has it
   * @param leftover whether it counts among what this process may have on the store
   * @param withdrawing whether the token is being withdrawn
   */
  private record World(
      RequestState state,
      boolean timer,
      boolean underWay,
      boolean inLine,
      boolean granted,
      boolean leftover,
      boolean withdrawing) {
    static final World FIRST =
        new World(RequestState.NEW, false, false, false, false, false, false);

    World with(RequestState next) {
      boolean paused = timer && next.isPaused();
      return new World(next, paused, underWay, inLine, granted, leftover, withdrawing);
    }

    World answered(boolean mayHold) {
      return new World(state, timer, false, inLine, granted || mayHold, leftover, withdrawing);
    }
  }

  /** Worlds that can follow from one. */
  private static final class Explorer {
    private final Machine machine;

    Explorer(Machine machine) {
      this.machine = machine;
    }

    /** How many worlds there are; fails at the first that must not be. */
    int explore() {
      Set<World> seen = new HashSet<>(Set.of(World.FIRST));
      ArrayDeque<World> open = new ArrayDeque<>(seen);
      while (!open.isEmpty()) {
        World world = open.remove();
        for (World next : next(world)) {
          check(world, next);
          if (seen.add(next)) {
            open.add(next);
          }
        }
      }
      return seen.size();
    }

    private List<World> next(World w) {
      List<World> all = new ArrayList<>();
      boolean needed = w.state.needed();
      for (boolean either : BOTH) {
        all.addAll(on(w, new Event.Woken(either)));
        if (w.timer) {
          all.addAll(on(w, new Event.PauseEnded(either)));
        }
        if (w.underWay && needed) {
          all.addAll(judged(on(w.answered(false), new Event.Refused()), either));
          all.addAll(on(w.answered(true), new Event.Failed(WHY, true, either)));
          all.addAll(on(w.answered(false), new Event.Failed(WHY, false, either)));
        } else if (w.underWay) {
          all.addAll(on(w.answered(either), new Event.Missed(either)));
        }
      }
      if (w.underWay && needed) {
        all.addAll(on(w.answered(false), new Event.Granted(null)));
        World passed = new World(w.state, w.timer, false, false, false, w.leftover, w.withdrawing);
        all.addAll(on(passed, new Event.Passed()));
      }
      if (needed && w.state.phase() == Phase.IDLE) {
        all.addAll(ask(w));
        all.addAll(on(w, new Event.Deferred()));
      }
      if (needed) {
        all.addAll(on(w, new Event.Left()));
      }
      if (needed || w.underWay) {
        all.addAll(on(w, new Event.Adopted()));
      }
      return all;
    }

    /** What a refusal meant is known, or its waiter was served meanwhile. */
    private List<World> judged(List<World> refused, boolean again) {
      return refused.stream()
          .flatMap(
              w ->
                  Stream.of(
                      on(w, new Event.Judged(again)),
                      on(w, new Event.Returning()),
                      on(w, new Event.Left())))
          .flatMap(List::stream)
          .toList();
    }

    private List<World> ask(World w) {
      List<World> all = new ArrayList<>();
      for (boolean queues : BOTH) {
        assertTrue(!w.underWay, () -> "a second request beside one: " + w);
        Step step = machine.apply(w.state, new Event.Ask(queues));
        RequestState next = step.state();
        all.add(new World(next, false, true, w.inLine || queues, w.granted, w.leftover, false));
      }
      return all;
    }

    private List<World> on(World w, Event event) {
      Step step = machine.apply(w.state, event);
      List<World> worlds = List.of(w.with(step.state()));
      for (Effect effect : step.effects()) {
        worlds = worlds.stream().flatMap(one -> perform(one, effect).stream()).toList();
      }
      return worlds;
    }

    private List<World> perform(World w, Effect effect) {
      RequestState s = w.state;
      if (effect instanceof Effect.AskNow) {
        return ask(w);
      } else if (effect instanceof Effect.Pause) {
        World paused =
            new World(s, true, w.underWay, w.inLine, w.granted, w.leftover, w.withdrawing);
        List<World> broken = on(w, new Event.Failed(WHY, true, true)); // no timer could be had
        return Stream.concat(Stream.of(paused), broken.stream()).toList();
      } else if (effect instanceof Effect.Take) {
        World taken = new World(s, w.timer, w.underWay, false, false, w.leftover, w.withdrawing);
        return on(taken, new Event.Left());
      } else if (effect instanceof Effect.Fail) {
        return on(w, new Event.Left());
      } else if (effect instanceof Effect.Withdraw what) {
        boolean inLine = w.inLine && !what.leave();
        boolean granted = w.granted && !what.release();
        return List.of(new World(s, w.timer, w.underWay, inLine, granted, w.leftover, true));
      }
      boolean keeps = effect instanceof Effect.Keep;
      return List.of(new World(s, w.timer, w.underWay, w.inLine, w.granted, keeps, false));
    }

    private static void check(World before, World w) {
      String how = before + " -> " + w;
      assertEquals(w.underWay, w.state.phase() == Phase.ASKED, how);
      assertEquals(w.timer, w.state.isPaused(), how);
      assertTrue(w.state.phase() != Phase.REFUSED, how);
      if (!w.state.needed()) {
        assertTrue(!w.timer, () -> "a pause for no waiter: " + how);
        assertTrue(!w.underWay || w.leftover, () -> "a request that does not count: " + how);
        assertTrue(!w.withdrawing || w.leftover, () -> "a withdrawal that does not: " + how);
        boolean left = !w.underWay && (w.inLine || w.granted);
        assertTrue(!left, () -> "it is left on the store: " + how);
      }
    }
  }

  @Test
  @DisplayName("has one answer at a time, a timer in each pause, and leaves nothing on the store")
  void everyOrder() {
    int worlds = new Explorer(RequestState::on).explore();
    assertTrue(worlds > 40, () -> worlds + " worlds");
  }

  private static void assertFound(Machine wrong) {
    assertThrows(AssertionError.class, () -> new Explorer(wrong).explore());
  }

  private static Step without(Step step, Class<? extends Effect> effect) {
    return new Step(
        step.state(), step.effects().stream().filter(e -> !effect.isInstance(e)).toList());
  }

  @Test
  @DisplayName("Twins, each wrong in one transition, are caught")
  void twins() {
    assertFound(
        (s, event) -> { // a refusal counts as an answer to a request before it
          RequestState forgets =
              new RequestState(
                  s.phase(), s.needed(), s.woken(), s.sent(), s.backsOff(), s.queued(), false);
          return (event instanceof Event.Refused ? forgets : s).on(event);
        });
    assertFound((s, event) -> without(s.on(event), Effect.Withdraw.class));
    assertFound((s, event) -> without(s.on(event), Effect.Keep.class));
    assertFound((s, event) -> without(s.on(event), Effect.Pause.class));
    assertFound((s, event) -> event instanceof Event.Left ? new Step(s, List.of()) : s.on(event));
    assertFound(
        (s, event) -> { // a woken waiter asks, also while a request is on its way
          Step step = s.on(event);
          return event instanceof Event.Woken && s.needed()
              ? new Step(step.state(), List.of(new Effect.AskNow()))
              : step;
        });
  }

  private static Step after(Event... events) {
    Step step = new Step(RequestState.NEW, List.of());
    for (Event event : events) {
      step = step.state().on(event);
    }
    return step;
  }

  private static Optional<Effect.Withdraw> withdrawal(Event... events) {
    return after(events).effects().stream()
        .filter(Effect.Withdraw.class::isInstance)
        .map(Effect.Withdraw.class::cast)
        .findAny();
  }

  @Test
  @DisplayName("A waiter that leaves gives up its place, and any unanswered request")
  void withdraws() {
    Event refused = new Event.Refused();
    Event held = new Event.Judged(false);
    Event left = new Event.Left();
    assertEquals(Optional.empty(), withdrawal(new Event.Ask(false), refused, held, left));
    assertEquals(
        Optional.of(new Effect.Withdraw(true, false)),
        withdrawal(new Event.Ask(true), refused, held, left));
    assertEquals(
        Optional.of(new Effect.Withdraw(false, true)),
        withdrawal(new Event.Ask(false), new Event.Failed(WHY, true, false), left));
    assertEquals(
        Optional.empty(),
        withdrawal(new Event.Ask(true), left),
        "not while an answer may still come");
    assertEquals(
        Optional.of(new Effect.Withdraw(true, true)),
        withdrawal(new Event.Ask(true), left, new Event.Missed(true)));
    assertEquals(Optional.empty(), withdrawal(new Event.Ask(true), new Event.Granted(null), left));
    assertEquals(Optional.empty(), withdrawal(new Event.Ask(true), new Event.Passed(), left));
  }

  @Test
  @DisplayName("A wake-up during a request makes it ask again at once")
  void wokenMeanwhile() {
    Event refused = new Event.Refused();
    Event held = new Event.Judged(false);
    Event woken = new Event.Woken(true);
    assertEquals(
        List.of(new Effect.AskNow()), after(new Event.Ask(true), woken, refused, held).effects());
    assertEquals(
        List.of(new Effect.Pause(RequestState.Why.HELD)),
        after(new Event.Ask(true), refused, held).effects());
    assertEquals(
        List.of(),
        after(new Event.Ask(true), refused, held, new Event.Woken(false)).effects(),
        "it is another's turn");
  }

  @Test
  @DisplayName("A wake-up does not shorten the pause for a lease that may be back in a moment")
  void returning() {
    Event ask = new Event.Ask(false);
    Event refused = new Event.Refused();
    Event back = new Event.Returning();
    Event woken = new Event.Woken(true);
    assertEquals(
        List.of(new Effect.Pause(RequestState.Why.RETURNING)), after(ask, refused, back).effects());
    assertEquals(List.of(), after(ask, refused, back, woken).effects());
    assertEquals(
        List.of(new Effect.AskNow()),
        after(ask, refused, back, woken, new Event.PauseEnded(true)).effects());
    assertEquals(
        List.of(new Effect.AskNow()),
        after(ask, woken, refused, back).effects(),
        "woken before: it may be free");
  }

  @Test
  @DisplayName("A failure after which nothing can have run is the outcome, another is tried again")
  void fails() {
    Event ask = new Event.Ask(false);
    assertEquals(
        List.of(new Effect.Fail(WHY)), after(ask, new Event.Failed(WHY, false, false)).effects());
    assertEquals(
        List.of(new Effect.Fail(WHY)), after(ask, new Event.Failed(WHY, true, true)).effects());
    assertEquals(
        List.of(new Effect.Pause(RequestState.Why.NO_ANSWER)),
        after(ask, new Event.Failed(WHY, true, false)).effects());
  }

  @Test
  @DisplayName("Impossible events are refused")
  void impossible() {
    assertThrows(IllegalStateException.class, () -> after(new Event.Granted(null)));
    assertThrows(IllegalStateException.class, () -> after(new Event.Judged(true)));
    assertThrows(
        IllegalStateException.class, () -> after(new Event.Ask(true), new Event.Ask(true)));
    assertThrows(IllegalStateException.class, () -> after(new Event.Left(), new Event.Ask(true)));
  }
}
