package dev.leasehold.admin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.admin.Servers.Answer;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
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

    Optional<Merge.Found> find(HoldId id) {
      return holds().stream().filter(found -> found.hold().id().equals(id)).findFirst();
    }

    /** The result where the hold that was to be ended is not there. */
    BreakResult heldByOthers() {
      List<ListedHold> now = holds().stream().map(Merge.Found::hold).toList();
      return now.isEmpty() ? new BreakResult.NotHeld() : new BreakResult.HeldByAnother(now);
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
    Servers.throwIfAllFailed(answers);
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

  /** Collects the queues of all locks of a listing. */
  WaitGraph waits(LockListing listing) {
    List<Wait> waits = new ArrayList<>();
    Set<String> looked = new HashSet<>(); // SCAN may return a lock twice
    Iterator<ListedLock> all = listing.iterator();
    while (waits.size() <= WaitGraph.MOST && all.hasNext()) {
      ListedLock entry = all.next();
      if (entry.waiting() > 0 && looked.add(entry.name())) {
        look(entry.name()).locks().forEach(lock -> waits.addAll(waits(lock)));
      }
    }
    List<Omission> omissions = new ArrayList<>(listing.omissions());
    if (waits.size() > WaitGraph.MOST) {
      omissions.add(
          new Omission(
              Omission.Reason.TOO_MANY,
              "Only the first " + WaitGraph.MOST + " waits are shown: use a narrower pattern."));
    }
    return WaitGraph.of(waits.stream().limit(WaitGraph.MOST).toList(), omissions);
  }

  /** A reservation or the rest of a minimum hold is not a holder: it ends by itself. */
  private static List<Wait> waits(Merge.Whole lock) {
    ListedLock entry = lock.entry();
    List<String> holders =
        entry.holds().stream()
            .filter(h -> h.state() == HoldState.HELD || h.state() == HoldState.MAINTENANCE)
            .map(ListedHold::holder)
            .distinct()
            .toList();
    return lock.waiters().stream()
        .map(waiter -> new Wait(entry.name(), entry.kind(), waiter, holders))
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
          nodes.state(
              answer,
              whole.holds().stream()
                  .filter(found -> found.nodes().contains(answer.node()))
                  .map(found -> found.hold().id())
                  .toList()));
    }
    return states;
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
