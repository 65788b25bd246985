package dev.leasehold.redis.set;

import dev.leasehold.redis.common.StoredFence;
import dev.leasehold.redis.set.Pipeline.Step;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A lock's fence as it was read, and the server's time with it: what the next fence is computed
 * from.
 *
 * @param text the key's value; null if there is none
 * @param micros since 1970
 */
record LastFence(@Nullable String text, long micros) {

  /** The commands that read it. */
  static List<Step> steps(byte[] key) {
    return List.of(Step.of(CommandType.TIME), Step.of(CommandType.GET, key));
  }

  /** Parses the replies to {@link #steps}, after others. */
  static LastFence of(List<@Nullable Object> replies) {
    List<?> time = (List<?>) replies.get(replies.size() - 2);
    long seconds = Long.parseLong(Pipeline.text(time.get(0)));
    long micros = Long.parseLong(Pipeline.text(time.get(1)));
    return new LastFence(
        Pipeline.text(replies.get(replies.size() - 1)), seconds * 1_000_000 + micros);
  }

  /**
   * As numbers.lua: larger than the last number drawn, and no smaller than the server's time. Empty
   * if there is no such number, or if the key's value is no fence.
   */
  Optional<StoredFence> next(int handOvers) {
    Optional<StoredFence> last = StoredFence.parse(text == null ? "" : text);
    if (text != null && last.isEmpty()) {
      return Optional.empty();
    }
    long first = Math.max(last.map(StoredFence::last).orElse(0L) + 1, micros);
    return Optional.of(StoredFence.drawn(first, handOvers, micros))
        .filter(next -> next.last() < StoredFence.TOO_LARGE);
  }

  /** Writes the next fence in place of this one, and of no other. */
  Step replacedBy(StoredFence next, byte[] key) {
    // With the mark if there is no fence that could have one: a script may have left a token's mark
    // beside it. A later grant of a script removes it.
    String value = next.text(text == null || StoredFence.isMarked(text));
    long millis = StoredFence.TTL.toMillis();
    return text == null
        ? Step.set(key, value, "NX", "PX", millis)
        : Step.set(key, value, "IFEQ", text, "PX", millis);
  }
}
