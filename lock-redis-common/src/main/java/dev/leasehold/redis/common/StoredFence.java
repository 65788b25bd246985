package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireResult;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a lock's fence key has: {@code V}, or {@code V+r} where the numbers after V are set aside
 * for hand-overs. {@code numbers.lua} reads and writes the same, and knows {@code V+0} and {@code
 * V+0r} besides: a fence with a mark, which says nothing of the numbers.
 *
 * @param first V, the fence of the latest grant
 * @param handOvers r, how many numbers after it are that grant's as well
 */
public record StoredFence(long first, int handOvers) {
  /** The scripts draw no number from here on. */
  public static final long TOO_LARGE = AcquireResult.MOST_FENCE - 1;

  /** A number is cut that is further ahead of the clock, in microseconds. */
  private static final long MOST_AHEAD = 1_000_000;

  private static final Pattern FORM = Pattern.compile("(\\d{1,16})(?:\\+(\\d{0,9}))?");

  /** What a key has; empty if it is no fence. */
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
   * A fence with as many of the numbers asked for as do not lead the clock.
   *
   * @param micros what the clock shows
   */
  public static StoredFence drawn(long first, int asked, long micros) {
    long most = Math.min(micros + MOST_AHEAD, TOO_LARGE - 1) - first;
    return new StoredFence(first, (int) Math.max(0, Math.min(asked, most)));
  }

  /** The last number of the grant. */
  public long last() {
    return first + handOvers;
  }

  /** As the key has it. */
  public byte[] bytes() {
    return (handOvers == 0 ? Long.toString(first) : first + "+" + handOvers).getBytes(US_ASCII);
  }
}
