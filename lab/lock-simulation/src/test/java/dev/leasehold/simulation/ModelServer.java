package dev.leasehold.simulation;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A server over successive runs: keys, scripts, messages and run ids. Each call is one step. Not
 * thread-safe.
 */
public final class ModelServer {
  private final KeyTable keys;
  private final ServerCommands commands;
  private final UnaryOperator<String> change;
  private final Map<String, String> scripts = new HashMap<>();

  /** The changed scripts, cached. */
  private final Map<String, String> changed = new HashMap<>();

  private final Map<String, Set<Subscriber>> subscribers = new LinkedHashMap<>();
  private String runId;
  private String info = "";

  /** Its own compare-and-delete, which clients can ask for; null if it has none. */
  private @Nullable String compareAndDelete;

  /** A receiver of published messages. */
  public interface Subscriber {
    /** A message was published. */
    void heard(String channel, String message);
  }

  /**
   * A new server.
   *
   * @param micros its wall clock
   * @param change applied to each script that it is sent
   */
  public ModelServer(LongSupplier micros, String runId, UnaryOperator<String> change) {
    this.keys = new KeyTable(() -> micros.getAsLong() / 1000);
    this.commands = new ServerCommands(keys, micros);
    this.change = change;
    this.runId = runId;
    replicationId(runId);
  }

  /** From now on it has this command. */
  public void knows(String command) {
    compareAndDelete = command;
  }

  /** The run id. */
  public String runId() {
    return runId;
  }

  /** It was a replica and has been promoted: the same run with another replication id. */
  public void promoted(String newId) {
    replicationId(newId, runId);
  }

  /** Sets the replication id of its data, as on a real server. */
  void replicationId(String id) {
    replicationId(id, "0".repeat(40));
  }

  private void replicationId(String id, String before) {
    info =
        "# Server\r\nrun_id:%s\r\n# Memory\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\n"
                .formatted(runId)
            + "# Replication\r\nrole:master\r\nconnected_slaves:0\r\nmaster_replid:%s\r\n"
                .formatted(id)
            + "master_replid2:%s\r\nmaster_repl_offset:0\r\nsecond_repl_offset:-1\r\n"
                .formatted(before);
  }

  /** Restarts with its data, but without scripts and subscribers. */
  public void restart(String newRunId) {
    runId = newRunId;
    replicationId(newRunId);
    scripts.clear();
    subscribers.clear();
  }

  /** Loses all data. */
  public void loseData() {
    keys.clear();
  }

  /** Times, in ms since 1970, at which data expires or changes its meaning. */
  List<Double> boundaries() {
    return keys.boundaries();
  }

  /** Disconnects all subscribers. */
  public void disconnectAll() {
    subscribers.clear();
  }

  /** Executes a command. */
  public Object call(String... words) {
    return call(List.of(words));
  }

  /**
   * Executes a command.
   *
   * @return a Long, a String, a {@link Status}, a List of these, or null
   * @throws ReplyError for an error reply
   */
  public Object call(List<String> words) {
    return switch (words.get(0).toUpperCase(Locale.ROOT)) {
      case "EVAL" -> {
        String text = words.get(1);
        scripts.put(sha(text), text);
        yield run(text, words);
      }
      case "EVALSHA" -> {
        String text = scripts.get(words.get(1));
        if (text == null) {
          throw new ReplyError("NOSCRIPT No matching script. Please use EVAL.");
        }
        yield run(text, words);
      }
      case "COMMAND" -> // INFO
          words.subList(2, words.size()).stream()
              .map(name -> name.equals(compareAndDelete) ? List.of(name) : null)
              .toList();
      default -> step(words);
    };
  }

  private Object run(String text, List<String> words) {
    int count = Integer.parseInt(words.get(2));
    return Lua.ofThread()
        .run(
            changed.computeIfAbsent(text, sent -> change.apply(OtherScripts.of(sent))),
            words.subList(3, 3 + count),
            words.subList(3 + count, words.size()),
            this::step);
  }

  private Object step(List<String> words) {
    return switch (words.get(0).toUpperCase(Locale.ROOT)) {
      case "PUBLISH", "SPUBLISH" -> publish(words.get(1), words.get(2));
      case "INFO" -> info;
      default -> commands.call(words);
    };
  }

  private Object publish(String channel, String message) {
    Set<Subscriber> all = subscribers.getOrDefault(channel, Set.of());
    all.forEach(each -> each.heard(channel, message));
    return (long) all.size();
  }

  /** Subscribes to a channel until this run ends. */
  public void subscribe(String channel, Subscriber who) {
    subscribers.computeIfAbsent(channel, c -> new LinkedHashSet<>()).add(who);
  }

  /** Whether a channel has a subscriber. */
  public boolean isHeard(String channel) {
    return !subscribers.getOrDefault(channel, Set.of()).isEmpty();
  }

  /** Removes all subscriptions of a receiver. */
  public void unsubscribe(Subscriber who) {
    subscribers.values().forEach(all -> all.remove(who));
  }

  private static String sha(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
