package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LongestTtlsTest {
  private static final Duration SHORT = Duration.ofSeconds(10);
  private static final Duration LONG = Duration.ofSeconds(60);
  private final AtomicLong now = new AtomicLong();
  private final LongestTtls ttls = new LongestTtls(now::get);

  @Test
  void onlyWhatAsksForAtLeastAsMuchAsAllBeforeCanNotShorten() {
    assertFalse(ttls.isLongest("t", SHORT), "nothing is known of the token");
    ttls.asked("t", SHORT);
    assertTrue(ttls.isLongest("t", SHORT));
    ttls.asked("t", LONG);
    assertFalse(ttls.isLongest("t", SHORT));
    ttls.asked("t", SHORT);
    assertFalse(ttls.isLongest("t", SHORT), "also after a shorter one");
    assertTrue(ttls.isLongest("t", LONG));
    ttls.forget("t");
    assertFalse(ttls.isLongest("t", LONG));
  }

  @Test
  void tokensThatWereNeverReleasedAreForgottenLongAfterTheyExpired() {
    for (int i = 0; i < 1024; i++) {
      ttls.asked("old" + i, SHORT);
    }
    now.addAndGet(Duration.ofMinutes(2).toNanos());
    ttls.asked("held", Duration.ofHours(1));
    assertEquals(1, ttls.size());
    assertTrue(ttls.isLongest("held", Duration.ofHours(1)));
  }
}
