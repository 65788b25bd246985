package dev.leasehold.testkit.proxy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Matches values from the server with requests: a value answers the oldest request, except for
 * messages, which answer none, and subscription confirmations, of which a request gets one per
 * channel. In RESP3 both are pushes; in RESP2 they are arrays like any other. Not thread-safe.
 */
final class Subscriptions {
  private static final Set<String> MESSAGES = Set.of("message", "pmessage", "smessage");
  private static final Map<String, String> KINDS =
      Map.of(
          "subscribe", "channel",
          "unsubscribe", "channel",
          "psubscribe", "pattern",
          "punsubscribe", "pattern",
          "ssubscribe", "shard",
          "sunsubscribe", "shard");

  private final Map<String, Set<String>> subscribed = new HashMap<>();

  /**
   * What a value answers.
   *
   * @param request the request, if it answers one
   * @param isLast whether it completes the request's reply
   */
  record Answer(Optional<Pending> request, boolean isLast) {
    static final Answer NONE = new Answer(Optional.empty(), false);
  }

  Answer answer(Frame frame, @Nullable Pending oldest) {
    boolean push = frame.type() == '>';
    if (push || frame.type() == '*') {
      List<String> start = frame.elements(2);
      String kind = start.isEmpty() ? "" : start.get(0).toLowerCase(Locale.ROOT);
      if (MESSAGES.contains(kind) && (push || isSubscribed())) {
        return Answer.NONE;
      }
      if (KINDS.containsKey(kind) && (push || isSubscribed() || isFor(kind, oldest))) {
        return confirmation(kind, start.size() < 2 ? "" : start.get(1), oldest);
      }
      if (push) {
        return Answer.NONE;
      }
    }
    if (oldest == null) {
      return Answer.NONE;
    }
    if (oldest.command().name().equals("RESET")) {
      subscribed.clear();
    }
    return new Answer(Optional.of(oldest), true);
  }

  private Answer confirmation(String kind, String channel, @Nullable Pending oldest) {
    Set<String> channels = channels(kind);
    int before = channels.size();
    if (kind.contains("unsubscribe")) {
      channels.remove(channel);
    } else {
      channels.add(channel);
    }
    if (oldest == null || !isFor(kind, oldest)) {
      // Initiated by the server, for instance when a shard channel moves to another node.
      return Answer.NONE;
    }
    return new Answer(Optional.of(oldest), oldest.isLastConfirmation(before));
  }

  private Set<String> channels(String kind) {
    return subscribed.computeIfAbsent(KINDS.getOrDefault(kind, kind), k -> new HashSet<>());
  }

  private static boolean isFor(String kind, @Nullable Pending oldest) {
    return oldest != null && oldest.command().name().equals(kind.toUpperCase(Locale.ROOT));
  }

  private boolean isSubscribed() {
    return subscribed.values().stream().anyMatch(channels -> !channels.isEmpty());
  }
}
