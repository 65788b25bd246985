package dev.leasehold.testkit.proxy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** State shared by all connections of a proxy: active faults, counts and records. */
final class Conditions {
  private final Bell bell = new Bell();
  private final List<InstalledFault> faults = new CopyOnWriteArrayList<>();
  private final List<InstalledFault> blackholes = new CopyOnWriteArrayList<>();
  private final List<InstalledFault> holdsOfRequests = new CopyOnWriteArrayList<>();
  private final List<InstalledFault> holdsOfReplies = new CopyOnWriteArrayList<>();
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<RecordedCommand> recorded = new ConcurrentLinkedQueue<>();
  private final AtomicLong recordable = new AtomicLong();

  Bell bell() {
    return bell;
  }

  InstalledFault install(CommandMatch match, CommandFault fault, int most) {
    InstalledFault installed = new InstalledFault(match, fault, most, bell, faults::remove);
    faults.add(installed);
    return installed;
  }

  InstalledFault blackhole() {
    InstalledFault installed =
        new InstalledFault(
            CommandMatch.any(),
            CommandFault.dropRequest(),
            Integer.MAX_VALUE,
            bell,
            blackholes::remove);
    blackholes.add(installed);
    return installed;
  }

  ActiveFault hold(Direction direction) {
    List<InstalledFault> holding = holding(direction);
    // It matches no commands: what it holds back is bytes.
    InstalledFault installed =
        new InstalledFault(
            CommandMatch.any(), CommandFault.holdRequest(), 0, bell, holding::remove);
    holding.add(installed);
    return installed;
  }

  private List<InstalledFault> holding(Direction direction) {
    return direction == Direction.REQUESTS ? holdsOfRequests : holdsOfReplies;
  }

  boolean isHeld(Direction direction) {
    return !holding(direction).isEmpty();
  }

  /** The active blackholes. */
  List<InstalledFault> blackholes() {
    return blackholes;
  }

  void clear() {
    for (List<InstalledFault> some : List.of(faults, blackholes, holdsOfRequests, holdsOfReplies)) {
      some.forEach(InstalledFault::close);
    }
  }

  /** Counts and records a command; returns the faults that apply to it. */
  List<InstalledFault> seen(RespCommand command) {
    counts.computeIfAbsent(command.name(), name -> new LongAdder()).increment();
    if (recordable.get() > 0 && recordable.getAndDecrement() > 0) {
      recorded.add(new RecordedCommand(System.nanoTime(), command));
    }
    return faults.isEmpty()
        ? List.of()
        : faults.stream().filter(fault -> fault.hits(command)).toList();
  }

  CommandCounts counts() {
    Map<String, Long> numbers = new HashMap<>();
    counts.forEach((name, count) -> numbers.put(name, count.sum()));
    return new CommandCounts(numbers);
  }

  void record(int most) {
    recorded.clear();
    recordable.set(most);
  }

  List<RecordedCommand> recorded() {
    return List.copyOf(recorded);
  }
}
