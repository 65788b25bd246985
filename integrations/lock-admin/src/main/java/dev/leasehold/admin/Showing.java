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
  private static final String OPERATION = "look at locks of";

  private final Servers nodes;
  private final Layout layout;

  Showing(Servers nodes, Layout layout) {
    this.nodes = nodes;
    this.layout = layout;
  }

  /**
   * The answers of all servers, and the locks merged from them.
   *
   * @param others what a server has of the name that is not a lock, on servers without locks of it
   */
  record Seen(
      List<Answer<List<Stored.Lock>>> answers,
      List<Merge.Whole> locks,
      List<Answer<Layout.Other>> others) {

    List<Merge.Found> holds() {
      return locks.stream().flatMap(lock -> lock.holds().stream()).toList();
    }
  }

  /** Both parsed from one reply: a second look might find what has been acquired meanwhile. */
  private record Looked(List<Stored.Lock> locks, Optional<Layout.Other> other) {}

  /**
   * Asks all servers.
   *
   * @throws LockStoreException if none can be reached
   */
  Seen look(String name) {
    LuaCall call = layout.look(name, LockDetails.MOST, LockDetails.MOST);
    List<Answer<List<Stored.Lock>>> answers = new ArrayList<>();
    List<Answer<Layout.Other>> others = new ArrayList<>();
    for (Answer<Looked> each :
        nodes.askAll(
            server ->
                server
                    .run(call)
                    .thenApply(
                        reply -> new Looked(layout.stored(reply), layout.other(name, reply))),
            OPERATION)) {
      Looked looked = each.value();
      answers.add(
          new Answer<>(each.node(), looked == null ? null : looked.locks(), each.failure()));
      if (looked != null) {
        looked.other().ifPresent(other -> others.add(new Answer<>(each.node(), other, null)));
      }
    }
    if (answers.stream().allMatch(answer -> answer.failure() != null)) {
      throw Objects.requireNonNull(answers.get(0).failure());
    }
    return new Seen(answers, Merge.of(nodes, name, answers), others);
  }

  List<LockDetails> show(String name) {
    Seen seen = look(name);
    if (seen.locks().isEmpty()) {
      if (!seen.others().isEmpty()) {
        throw notFree(seen.others().get(0));
      }
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

  private LockStoreException notFree(Answer<Layout.Other> at) {
    Layout.Other other = Objects.requireNonNull(at.value());
    return new LockStoreException(
        LockStoreException.Kind.REFUSED,
        nodes.what(OPERATION, at.node())
            + ": the key "
            + Quoted.name(new String(other.key().getBytes(ISO_8859_1), UTF_8))
            + " "
            + other.what());
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
