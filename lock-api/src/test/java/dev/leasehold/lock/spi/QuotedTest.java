package dev.leasehold.lock.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockKind;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A name in a message")
class QuotedTest {

  @Test
  @DisplayName("is as it is, if all of it can be seen")
  void seen() {
    for (String name : new String[] {"orders", "a b{c}:d", "größe-漢字-😀", "50%"}) {
      assertEquals("'" + name + "'", Quoted.name(name));
      assertEquals(name, Quoted.text(name));
    }
  }

  @Test
  @DisplayName("is one line, with no control characters and no change of direction")
  void escaped() {
    assertEquals("'a\\nb\\r\\tc'", Quoted.name("a\nb\r\tc"));
    assertEquals("'\\u0000\\u001b\\u007f\\u0085'", Quoted.name("\0\u001b\u007f\u0085"));
    assertEquals("'\\u2028\\u2029\\u202e\\u200b'", Quoted.name("\u2028\u2029\u202e\u200b"));
    assertEquals("'\\ud83d'", Quoted.name("\ud83d"));
    assertEquals("'\\udb40\\udc01'", Quoted.name("\udb40\udc01")); // an invisible tag
    assertEquals(
        "ERR lh:{a\\nb}:fence is 'no' fence", Quoted.text("ERR lh:{a\nb}:fence is 'no' fence"));
  }

  @Test
  @DisplayName("looks like no other name, and ends where it ends")
  void unambiguous() {
    assertNotEquals(Quoted.name("a\n"), Quoted.name("a\\n"));
    assertEquals("'a\\' is free: \\''", Quoted.name("a' is free: '"));
  }

  @Test
  @DisplayName("The message of a loss is one line")
  void loss() {
    LeaseLoss loss =
        new LeaseLoss(LockKind.LOCK, "a\nWARNING all is well", LeaseLoss.Reason.EXPIRED, "late");
    assertEquals(
        "lease of lock 'a\\nWARNING all is well' was lost: late",
        new LeaseLostException(loss).getMessage());
  }

  @Test
  @DisplayName("A record's text has names in quotes and durations as settings write them")
  void records() {
    assertEquals(
        "R[name='a\\nb', time=1500ms, brief=0.3ms, none=none, some='x', one=1]",
        Quoted.record(
            "R",
            "name",
            "a\nb",
            "time",
            Duration.ofNanos(1_500_300_000),
            "brief",
            Duration.ofNanos(300_000),
            "none",
            Optional.empty(),
            "some",
            Optional.of("x"),
            "one",
            1));
  }
}
