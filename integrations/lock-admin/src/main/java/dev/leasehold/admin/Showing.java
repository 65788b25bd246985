package dev.leasehold.admin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.admin.Servers.Answer;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads one name on all servers. */
final class Showing {
  private final Servers nodes;
  private final Layout layout;

  Showing(Servers nodes, Layout layout) {
    this.nodes = nodes;
    this.layout = layout;
  }

  /** The answers of all servers, and the locks merged from them. */
  record Seen(List<Answer<List<Stored.Lock>>> answers, List<Merge.Whole> locks) {

    List<Merge.Found> holds() {
      return locks.stream().flatMap(lock -> lock.holds().stream()).toList();
    }
  }

  /**
   * Asks all servers.
   *
   * @throws LockStoreException if none can be reached
   */
  Seen look(String name) {
    LuaCall call = layout.look(name, LockDetails.MOST, LockDetails.MOST);
    List<Answer<List<Stored.Lock>>> answers =
        nodes.askAll(server -> server.run(call).thenApply(layout::stored), "look at locks of");
    for (Answer<List<Stored.Lock>> answer : answers) {
      if (answer.failure() == null) {
        return new Seen(answers, Merge.of(nodes, name, answers));
      }
    }
    throw Objects.requireNonNull(answers.get(0).failure());
  }

  List<LockDetails> show(String name) {
    Seen seen = look(name);
    if (seen.locks().isEmpty()) {
      checkFree(name);
      return List.of();
    }
    Set<String> labels =
        Stream.concat(
                seen.holds().stream().map(found -> found.hold().holder()),
                seen.locks().stream()
                    .flatMap(lock -> lock.waiters().stream())
                    .map(QueuedWaiter::holder))
            .collect(Collectors.toSet());
    Map<String, List<ClientConnection>> connections = connections(labels);
    return seen.locks().stream()
        .map(
            whole ->
                new LockDetails(whole.entry(), whole.waiters(), states(seen, whole), connections))
        .toList();
  }

  /**
   * Refuses a name under which a server holds something else than a lock, as an acquisition would.
   */
  private void checkFree(String name) {
    LuaCall call = layout.look(name, LockDetails.MOST, 0);
    String operation = "look at locks of";
    for (Answer<Optional<String>> answer :
        nodes.<Optional<String>>askAll(
            server -> server.run(call).thenApply(reply -> layout.other(name, reply)), operation)) {
      if (answer.value() != null && answer.value().isPresent()) {
        throw new LockStoreException(
            LockStoreException.Kind.REFUSED,
            nodes.what(operation, answer.node())
                + ": WRONGTYPE the key "
                + Quoted.name(new String(answer.value().get().getBytes(ISO_8859_1), UTF_8))
                + " holds something else than a lock");
      }
    }
  }

  private List<NodeState> states(Seen seen, Merge.Whole whole) {
    List<NodeState> states = new ArrayList<>();
    for (Answer<List<Stored.Lock>> answer : seen.answers()) {
      states.add(
          new NodeState(
              nodes.address(answer.node()),
              failure(answer),
              whole.holds().stream()
                  .filter(found -> found.nodes().contains(answer.node()))
                  .map(found -> found.hold().id())
                  .toList()));
    }
    return states;
  }

  static Optional<String> failure(Answer<?> answer) {
    return Optional.ofNullable(answer.failure()).map(e -> Quoted.text("" + e.getMessage()));
  }

  static boolean isRefused(Answer<?> answer) {
    return answer.failure() != null && answer.failure().kind() == LockStoreException.Kind.REFUSED;
  }

  /**
   * Returns connections by label. A server that fails or refuses contributes none: the rest is
   * useful without it.
   */
  private Map<String, List<ClientConnection>> connections(Set<String> labels) {
    Map<String, List<ClientConnection>> byLabel = new HashMap<>();
    List<Answer<List<String>>> answers = nodes.askAll(Server::clientList, "ask for clients of");
    for (Answer<List<String>> answer : answers) {
      for (String list : answer.value() == null ? List.<String>of() : answer.value()) {
        list.lines()
            .forEach(
                line -> {
                  Map<String, String> fields = fields(line);
                  String label = fields.getOrDefault("name", "");
                  if (labels.contains(label)) {
                    byLabel
                        .computeIfAbsent(label, l -> new ArrayList<>())
                        .add(
                            new ClientConnection(
                                nodes.address(answer.node()),
                                fields.getOrDefault("addr", ""),
                                age(fields.getOrDefault("age", "0"))));
                  }
                });
      }
    }
    return byLabel;
  }

  private static Duration age(String seconds) {
    return seconds.matches("\\d{1,12}")
        ? Duration.ofSeconds(Long.parseLong(seconds))
        : Duration.ZERO;
  }

  private static Map<String, String> fields(String line) {
    Map<String, String> fields = new HashMap<>();
    for (String field : line.split(" ", -1)) {
      int equals = field.indexOf('=');
      if (equals > 0) {
        fields.put(field.substring(0, equals), field.substring(equals + 1));
      }
    }
    return fields;
  }
}
