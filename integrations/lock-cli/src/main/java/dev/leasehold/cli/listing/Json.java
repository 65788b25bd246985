package dev.leasehold.cli.listing;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.leasehold.admin.BreakResult;
import dev.leasehold.admin.ClientConnection;
import dev.leasehold.admin.Finding;
import dev.leasehold.admin.HoldId;
import dev.leasehold.admin.ListedHold;
import dev.leasehold.admin.ListedLock;
import dev.leasehold.admin.LockDetails;
import dev.leasehold.admin.Maintenance;
import dev.leasehold.admin.NodeState;
import dev.leasehold.admin.QueuedWaiter;
import dev.leasehold.admin.Wait;
import dev.leasehold.admin.WaitGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Converts locks to JSON, for {@code --json}: one object per line for each lock. Durations are in
 * milliseconds, times in ISO 8601; unknown values are omitted. Members may be added in any release.
 */
public final class Json {
  private Json() {}

  /** Converts a lock of a listing. */
  public static JsonObject of(ListedLock lock) {
    JsonObject json = new JsonObject();
    json.addProperty("name", lock.name());
    json.addProperty("kind", lock.kind().toString());
    json.addProperty("holders", lock.holders());
    json.addProperty("waiting", lock.waiting());
    lock.permits().ifPresent(number -> json.addProperty("permits", number));
    number(json, "missing", lock.missing());
    millis(json, "endsMs", lock.ends());
    json.add("holds", array(lock.holds(), Json::of));
    return json;
  }

  /** Converts a lock with its waiters, nodes and connections. */
  public static JsonObject of(LockDetails lock) {
    JsonObject json = of(lock.entry());
    json.add("waiters", array(lock.waiters(), Json::of));
    json.add("nodes", array(lock.nodes(), Json::of));
    JsonObject connections = new JsonObject();
    lock.connections()
        .forEach((label, all) -> connections.add(label, array(all, connection -> of(connection))));
    json.add("connections", connections);
    return json;
  }

  /** Converts a finding of {@code doctor}. */
  public static JsonObject of(Finding finding) {
    JsonObject json = new JsonObject();
    json.addProperty("level", finding.level().name());
    json.addProperty("topic", finding.topic().name());
    if (!finding.server().isEmpty()) {
      json.addProperty("server", finding.server());
    }
    json.addProperty("text", finding.text());
    if (!finding.advice().isEmpty()) {
      json.addProperty("advice", finding.advice());
    }
    return json;
  }

  /** Converts the result of breaking a hold: {@code result}, and its details. */
  public static JsonObject of(BreakResult result) {
    JsonObject json = new JsonObject();
    if (result instanceof BreakResult.Broken broken) {
      json.addProperty("result", "BROKEN");
      json.addProperty("wokeWaiter", broken.wokeWaiter());
      millis(json, "believedForMs", broken.believedFor());
      json.add("failed", array(broken.failed(), Json::of));
    } else if (result instanceof BreakResult.NotHeld) {
      json.addProperty("result", "NOT_HELD");
    } else if (result instanceof BreakResult.HeldByAnother) {
      json.addProperty("result", "HELD_BY_ANOTHER");
    } else if (result instanceof BreakResult.TooFewNodes few) {
      json.addProperty("result", "TOO_FEW_NODES");
      json.add("failed", array(few.failed(), Json::of));
    } else if (result instanceof BreakResult.NotPossible not) {
      json.addProperty("result", "NOT_POSSIBLE");
      json.addProperty("why", not.why());
    }
    return json;
  }

  /** Converts a change, with the time when it was seen. */
  public static JsonObject of(ListingChanges.Change change, Instant seen) {
    JsonObject json = new JsonObject();
    json.addProperty("at", seen.toString());
    json.addProperty("change", change.what().name());
    json.add("lock", of(change.lock()));
    return json;
  }

  /** Converts all waits, and the cycles among them. */
  public static JsonObject of(WaitGraph graph) {
    JsonObject json = new JsonObject();
    json.add("waits", array(graph.waits(), wait -> of(wait, graph.cycle(wait))));
    JsonArray cycles = new JsonArray();
    graph.cycles().forEach(cycle -> cycles.add(strings(cycle)));
    json.add("cycles", cycles);
    return json;
  }

  private static JsonObject of(Wait wait, int cycle) {
    JsonObject json = new JsonObject();
    json.addProperty("name", wait.name());
    json.addProperty("kind", wait.kind().toString());
    json.add("waiter", of(wait.waiter()));
    json.add("holders", strings(wait.holders()));
    if (cycle > 0) {
      json.addProperty("cycle", cycle);
    }
    return json;
  }

  private static JsonObject of(ListedHold hold) {
    JsonObject json = new JsonObject();
    json.addProperty("id", hold.id().text());
    json.addProperty("side", hold.side().name());
    json.addProperty("state", hold.state().name());
    json.addProperty("holder", hold.holder());
    millis(json, "remainingMs", hold.remaining());
    hold.since().ifPresent(since -> json.addProperty("since", since.toString()));
    number(json, "token", hold.fencingToken());
    json.addProperty("permits", hold.permits());
    json.add("nodes", strings(hold.votes().nodes()));
    json.addProperty("quorum", hold.votes().enough());
    hold.maintenance().ifPresent(maintenance -> json.add("maintenance", of(maintenance)));
    return json;
  }

  private static JsonObject of(Maintenance maintenance) {
    JsonObject json = new JsonObject();
    json.addProperty("reason", maintenance.reason());
    json.addProperty("until", maintenance.until().toString());
    return json;
  }

  private static JsonObject of(QueuedWaiter waiter) {
    JsonObject json = new JsonObject();
    json.addProperty("place", waiter.place());
    json.addProperty("holder", waiter.holder());
    json.addProperty("side", waiter.side().name());
    json.addProperty("permits", waiter.permits());
    millis(json, "waitingMs", waiter.waiting());
    json.add("nodes", strings(waiter.votes().nodes()));
    return json;
  }

  private static JsonObject of(NodeState node) {
    JsonObject json = new JsonObject();
    json.addProperty("node", node.node());
    node.failure().ifPresent(failure -> json.addProperty("failure", failure));
    json.add("holds", strings(node.holds().stream().map(HoldId::text).toList()));
    return json;
  }

  private static JsonObject of(ClientConnection connection) {
    JsonObject json = new JsonObject();
    json.addProperty("node", connection.node());
    json.addProperty("address", connection.address());
    json.addProperty("ageMs", connection.age().toMillis());
    return json;
  }

  private static <T> JsonArray array(List<T> all, Function<T, JsonObject> each) {
    JsonArray array = new JsonArray();
    all.forEach(one -> array.add(each.apply(one)));
    return array;
  }

  private static JsonArray strings(List<String> all) {
    JsonArray array = new JsonArray();
    all.forEach(array::add);
    return array;
  }

  private static void number(JsonObject json, String member, OptionalLong value) {
    value.ifPresent(number -> json.addProperty(member, number));
  }

  private static void millis(JsonObject json, String member, Optional<Duration> value) {
    value.ifPresent(time -> json.addProperty(member, time.toMillis()));
  }
}
