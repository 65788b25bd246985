package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.Event.Kind;
import dev.leasehold.testkit.history.Event.Phase;
import dev.leasehold.testkit.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MinimumCheckTest {
  private static final Duration MINIMUM = Duration.ofNanos(100);

  private static List<Event> hold(String who, OptionalLong token, long at) {
    OptionalLong end = OptionalLong.of(at + 50);
    return List.of(
        new Event(who, "o", "a", Kind.ACQUIRE, Phase.INVOKE, at, token, OptionalLong.empty()),
        new Event(who, "o", "a", Kind.ACQUIRE, Phase.OK, at + 1, token, end));
  }

  private static int broken(boolean hasTokens, long second) {
    List<Event> events = new ArrayList<>();
    events.addAll(hold("x", hasTokens ? OptionalLong.of(1) : OptionalLong.empty(), 1000));
    events.addAll(hold("y", hasTokens ? OptionalLong.of(2) : OptionalLong.empty(), second));
    return MinimumCheck.broken(History.of(events), MINIMUM).size();
  }

  @ParameterizedTest(name = "with tokens: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("An acquisition within the minimum hold is reported, also for holds without tokens")
  void tooSoon(boolean hasTokens) {
    assertEquals(1, broken(hasTokens, 1060));
    assertEquals(0, broken(hasTokens, 1100));
  }
}
