package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.Event.Kind;
import dev.leasehold.testkit.history.Event.Phase;
import dev.leasehold.testkit.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each story has its times in steps; a hold lasts until the end of its story. */
class FencingCheckTest {
  private static final long OLDER = 1024;
  private static final long NEWER = 2048;

  private final List<Event> story = new ArrayList<>();

  private void event(String who, Kind kind, Phase phase, long token) {
    story.add(
        new Event(
            who,
            "o" + token % 1024,
            "a",
            kind,
            phase,
            story.size(),
            token == 0 ? OptionalLong.empty() : OptionalLong.of(token),
            phase == Phase.OK ? OptionalLong.of(1000) : OptionalLong.empty()));
  }

  private void holds(String who, long token) {
    event(who, Kind.ACQUIRE, Phase.INVOKE, token);
    event(who, Kind.ACQUIRE, Phase.OK, token);
  }

  private void writes(String who, long token, Phase outcome) {
    event(who, Kind.WRITE, Phase.INVOKE, token);
    event(who, Kind.WRITE, outcome, token);
  }

  private FencingCheck check() {
    Grants grants = new Grants();
    for (String process : List.of("a", "b")) {
      grants.add(process, "a", OLDER);
      grants.add(process, "a", NEWER);
    }
    return new FencingCheck(History.of(story), grants);
  }

  private List<String> broken() {
    return check().broken();
  }

  @Test
  @DisplayName("With two holders, the older one's write is refused, as fencing intends")
  void fine() {
    holds("a", OLDER);
    writes("a", OLDER, Phase.OK);
    holds("b", NEWER);
    writes("b", NEWER, Phase.OK);
    writes("a", OLDER, Phase.FAIL);
    assertEquals(List.of(), broken());
    assertEquals(1, check().rejected());
  }

  @Test
  @DisplayName("The older one may write before the newer one has")
  void early() {
    holds("a", OLDER);
    holds("b", NEWER);
    writes("a", OLDER, Phase.OK);
    writes("b", NEWER, Phase.OK);
    assertEquals(List.of(), broken());
  }

  @Test
  @DisplayName("A hand-over by a holder unaware of its loss is as old as its grant")
  void handedOn() {
    holds("a", OLDER);
    holds("b", NEWER);
    holds("a", OLDER + 1);
    writes("a", OLDER + 1, Phase.OK);
    writes("b", NEWER, Phase.OK);
    writes("a", OLDER + 1, Phase.FAIL);
    assertEquals(List.of(), broken());
  }

  @Test
  @DisplayName("A holder that died before the answer may have written")
  void died() {
    holds("a", OLDER);
    holds("b", NEWER);
    event("b", Kind.WRITE, Phase.INVOKE, NEWER);
    writes("a", OLDER, Phase.FAIL);
    assertEquals(List.of(), broken());
  }

  @Test
  @DisplayName("Found: a later grant with a smaller token")
  void smaller() {
    holds("a", NEWER);
    holds("b", OLDER);
    assertEquals(1, broken().size(), broken()::toString);
    assertTrue(broken().get(0).contains("token is smaller: b/o0"), broken()::toString);
  }

  @Test
  @DisplayName("Found: a smaller token handed over")
  void smallerHandedOn() {
    holds("a", OLDER + 2);
    holds("a", OLDER + 1);
    assertEquals(1, broken().size(), broken()::toString);
  }

  @Test
  @DisplayName("Found: one token for two holders")
  void same() {
    holds("a", OLDER);
    holds("b", OLDER);
    assertTrue(broken().get(0).contains("one token for two"), broken()::toString);
  }

  @Test
  @DisplayName("Found: the resource took a stale holder's write after the newer one's")
  void stale() {
    holds("a", NEWER);
    holds("b", OLDER);
    writes("b", OLDER, Phase.OK);
    writes("a", NEWER, Phase.OK);
    assertTrue(broken().get(1).contains("a stale write was accepted: a/o0"), broken()::toString);
  }

  @Test
  @DisplayName("Found: the newest holder's write was refused")
  void refused() {
    holds("a", NEWER);
    writes("a", NEWER, Phase.OK);
    holds("b", OLDER);
    writes("b", OLDER, Phase.FAIL);
    assertTrue(
        broken().get(1).contains("refused, though no newer holder has written: b/o0"),
        broken()::toString);
  }

  @Test
  @DisplayName("Found: a write with a token that its writer never had")
  void unknown() {
    holds("a", OLDER);
    event("a", Kind.WRITE, Phase.INVOKE, OLDER + 1024);
    event("a", Kind.WRITE, Phase.OK, OLDER);
    assertTrue(broken().get(0).contains("a token that no hold has"), broken()::toString);
  }
}
