package dev.leasehold.cli.console;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.leasehold.admin.ListedHold;
import dev.leasehold.admin.ListedLock;
import dev.leasehold.admin.VotingNode;
import dev.leasehold.cli.console.Snapshot.Event;
import dev.leasehold.cli.listing.Json;
import dev.leasehold.cli.listing.ListingChanges.What;
import dev.leasehold.lock.spi.Quoted;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Converts a snapshot to JSON for the page. The page gets only the locks with the longest queues:
 * thousands would make a browser slow, and would not be read.
 */
final class StateJson {
  /** The most locks that the page gets. */
  static final int MOST = 200;

  private static final int MOST_EVENTS = 100;
  private static final int MOST_BUSY = 8;

  private StateJson() {}

  /**
   * Converts a snapshot.
   *
   * @param filter part of a lock's or a holder's name; empty for all
   */
  static JsonObject of(Snapshot seen, String filter, boolean mayBreak) {
    String part = filter.toLowerCase(Locale.ROOT);
    List<ListedLock> matching = seen.locks().stream().filter(lock -> matches(lock, part)).toList();
    JsonObject json = new JsonObject();
    json.addProperty("number", seen.number());
    json.addProperty("seenMs", seen.seen().toEpochMilli());
    json.addProperty("tookMs", seen.took().toMillis());
    json.addProperty("total", seen.locks().size());
    json.addProperty("more", seen.more());
    json.addProperty("matching", matching.size());
    json.addProperty("mayBreak", mayBreak);
    seen.failure().ifPresent(why -> json.addProperty("failure", Quoted.text(why)));
    JsonArray locks = new JsonArray();
    matching.stream()
        .sorted(
            Comparator.comparingLong(ListedLock::waiting)
                .reversed()
                .thenComparing(ListedLock::name))
        .limit(MOST)
        .forEach(lock -> locks.add(shown(Json.of(lock), lock)));
    json.add("locks", locks);
    JsonArray omissions = new JsonArray();
    seen.omissions().forEach(omission -> omissions.add(Quoted.text(omission.words())));
    json.add("omissions", omissions);
    JsonArray nodes = new JsonArray();
    seen.nodes().forEach(node -> nodes.add(of(node)));
    json.add("nodes", nodes);
    JsonArray timeline = new JsonArray();
    seen.timeline().stream().limit(MOST_EVENTS).forEach(event -> timeline.add(of(event)));
    json.add("timeline", timeline);
    json.add("busiest", busiest(seen.timeline()));
    return json;
  }

  private static JsonObject of(VotingNode node) {
    JsonObject json = new JsonObject();
    json.addProperty("node", node.node());
    json.addProperty("quarantineMs", node.quarantine().toMillis());
    node.failure().ifPresent(why -> json.addProperty("failure", Quoted.text(why)));
    return json;
  }

  private static boolean matches(ListedLock lock, String part) {
    return part.isEmpty()
        || lock.name().toLowerCase(Locale.ROOT).contains(part)
        || lock.holds().stream()
            .anyMatch(hold -> hold.holder().toLowerCase(Locale.ROOT).contains(part));
  }

  private static JsonObject of(Event event) {
    JsonObject json = new JsonObject();
    json.addProperty("atMs", event.at().toEpochMilli());
    json.addProperty("change", words(event));
    json.addProperty("kind", event.lock().kind().toString());
    String holder = event.lock().holds().isEmpty() ? "" : holder(event.lock().holds().get(0));
    json.addProperty("holder", holder);
    return shown(json, event.lock());
  }

  private static String words(Event event) {
    return event.change().equals(What.WAITERS.name())
        ? "has " + event.lock().waiting() + " waiting"
        : event.change().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String holder(ListedHold hold) {
    return Quoted.text(hold.holder());
  }

  /** Adds the name for display, with control characters escaped. */
  private static JsonObject shown(JsonObject json, ListedLock lock) {
    json.addProperty("shown", Quoted.text(lock.name()));
    return json;
  }

  /** Returns the names with the most changes in the timeline. */
  private static JsonArray busiest(List<Event> timeline) {
    Map<String, Integer> changes = new HashMap<>();
    timeline.forEach(event -> changes.merge(event.lock().name(), 1, Integer::sum));
    JsonArray busiest = new JsonArray();
    changes.entrySet().stream()
        .sorted(
            Map.Entry.<String, Integer>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(MOST_BUSY)
        .forEach(
            each -> {
              JsonObject json = new JsonObject();
              json.addProperty("shown", Quoted.text(each.getKey()));
              json.addProperty("changes", each.getValue());
              busiest.add(json);
            });
    return busiest;
  }
}
