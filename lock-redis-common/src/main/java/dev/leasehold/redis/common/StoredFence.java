package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireResult;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value of a lock's fence key: {@code V}, or {@code V+r} if the r numbers after V are reserved
 * for hand-overs. {@code numbers.lua} reads and writes the same, and also {@code V+0} and {@code
 * V+0r}: a fence with a mark, which does not affect the numbers.
 *
 * @param first V, the fence of the latest grant
 * @param handOvers r, how many further numbers belong to that grant
 */
public record StoredFence(long first, int handOvers) {
  /** The scripts draw only numbers below this. */
  public static final long TOO_LARGE = AcquireResult.MOST_FENCE - 1;

  /** The most that a number may be ahead of the clock, in microseconds. */
  private static final long MOST_AHEAD = 1_000_000;

  /** The key's time to live: fences live for a day after their last grant, as in numbers.lua. */
  public static final Duration TTL = Duration.ofHours(25);

  private static final String MARK = "+0";

  private static final Pattern FORM = Pattern.compile("(\\d{1,16})(?:\\+(\\d{0,9}))?");

  /** Parses a key's value; empty if it is no fence. */
  public static Optional<StoredFence> parse(String text) {
    Matcher m = FORM.matcher(text);
    if (!m.matches()) {
      return Optional.empty();
    }
    boolean alone = m.group(2) == null || m.group(2).isEmpty();
    StoredFence fence =
        new StoredFence(Long.parseLong(m.group(1)), alone ? 0 : Integer.parseInt(m.group(2)));
    return fence.last() < TOO_LARGE ? Optional.of(fence) : Optional.empty();
  }

  /**
   * A fence with as many of the requested numbers as the clock's limit allows.
   *
   * @param micros the time by the clock
   */
  public static StoredFence drawn(long first, int asked, long micros) {
    long most = Math.min(micros + MOST_AHEAD, TOO_LARGE - 1) - first;
    return new StoredFence(first, (int) Math.max(0, Math.min(asked, most)));
  }

  /** The last number of the grant. */
  public long last() {
    return first + handOvers;
  }

  /** Whether a key's value has the mark. */
  public static boolean isMarked(String text) {
    return text.contains(MARK);
  }

  /** The key's value, with the mark or without. */
  public String text(boolean marked) {
    if (marked) {
      return first + MARK + (handOvers == 0 ? "" : handOvers);
    }
    return handOvers == 0 ? Long.toString(first) : first + "+" + handOvers;
  }

  /** The key's value, without the mark. */
  public byte[] bytes() {
    return text(false).getBytes(US_ASCII);
  }
}
