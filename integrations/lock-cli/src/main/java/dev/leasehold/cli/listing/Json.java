package dev.leasehold.cli.listing;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.leasehold.admin.BreakResult;
import dev.leasehold.admin.Finding;
import dev.leasehold.admin.HoldId;
import dev.leasehold.admin.ListedLock;
import dev.leasehold.admin.LockDetails;
import dev.leasehold.admin.QueuedWaiter;
import dev.leasehold.admin.Votes;
import dev.leasehold.admin.Wait;
import dev.leasehold.admin.WaitGraph;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Converts locks to JSON, for {@code --json}: one object per line for each lock. Durations are in
 * milliseconds, times in ISO 8601; unknown values are omitted. Members may be added in any release.
 */
public final class Json {
  private Json() {}

  /** Converts a lock of a listing. */
  public static JsonObject of(ListedLock lock) {
    JsonObject json = record(lock);
    json.add("holds", json.remove("holds")); // last, after what is short
    return json;
  }

  /** Converts a lock with its waiters, nodes and connections. */
  public static JsonObject of(LockDetails lock) {
    JsonObject json = of(lock.entry());
    json.add("waiters", value(lock.waiters()));
    json.add("nodes", value(lock.nodes()));
    json.add("connections", value(lock.connections()));
    return json;
  }

  /** Converts a finding of {@code doctor}. */
  public static JsonObject of(Finding finding) {
    JsonObject json = record(finding);
    json.entrySet().removeIf(member -> member.getValue().getAsString().isEmpty());
    return json;
  }

  /** Converts the result of breaking a hold: {@code result}, and its details. */
  public static JsonObject of(BreakResult result) {
    JsonObject json = new JsonObject();
    String name = result.getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_");
    json.addProperty("result", name.toUpperCase(Locale.ROOT));
    if (result instanceof BreakResult.Broken broken) {
      add(json, "wokeWaiter", broken.wokeWaiter());
      add(json, "believedFor", broken.believedFor());
      add(json, "failed", broken.failed());
    } else if (result instanceof BreakResult.TooFewNodes few) {
      add(json, "failed", few.failed());
    } else if (result instanceof BreakResult.NotPossible not) {
      add(json, "why", not.why());
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
    JsonArray waits = new JsonArray();
    for (Wait wait : graph.waits()) {
      JsonObject json = record(wait);
      int cycle = graph.cycle(wait);
      if (cycle > 0) {
        json.addProperty("cycle", cycle);
      }
      waits.add(json);
    }
    JsonObject json = new JsonObject();
    json.add("waits", waits);
    json.add("cycles", value(graph.cycles()));
    return json;
  }

  /** Converts a record: a member for each component that has a value. */
  private static JsonObject record(Record record) {
    JsonObject json = new JsonObject();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      try {
        add(json, component.getName(), component.getAccessor().invoke(record));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("the records of lock-admin are public", e);
      }
    }
    return json;
  }

  private static void add(JsonObject json, String name, Object value) {
    if (value instanceof Optional<?> some) {
      some.ifPresent(one -> add(json, name, one));
    } else if (value instanceof OptionalInt some) {
      some.ifPresent(one -> add(json, name, one));
    } else if (value instanceof OptionalLong some) {
      some.ifPresent(one -> add(json, name, one));
    } else if (value instanceof Duration time) {
      json.addProperty(name + "Ms", time.toMillis());
    } else if (value instanceof Votes votes) {
      add(json, "nodes", votes.nodes());
      add(json, "quorum", votes.enough());
    } else {
      json.add(name.equals("fencingToken") ? "token" : name, value(value));
    }
  }

  private static JsonElement value(Object value) {
    if (value instanceof Number number) {
      return new JsonPrimitive(number);
    }
    if (value instanceof Boolean flag) {
      return new JsonPrimitive(flag);
    }
    if (value instanceof List<?> list) {
      JsonArray array = new JsonArray();
      list.forEach(one -> array.add(value(one)));
      return array;
    }
    if (value instanceof Map<?, ?> map) {
      JsonObject json = new JsonObject();
      map.forEach((key, one) -> json.add(key.toString(), value(one)));
      return json;
    }
    if (value instanceof QueuedWaiter waiter) {
      JsonObject json = record(waiter);
      json.remove("quorum"); // a place in a line needs none
      return json;
    }
    return value instanceof Record record && !(value instanceof HoldId)
        ? record(record)
        : new JsonPrimitive(value.toString());
  }
}
