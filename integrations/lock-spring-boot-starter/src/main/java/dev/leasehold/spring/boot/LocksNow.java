package dev.leasehold.spring.boot;

import dev.leasehold.lock.AcquisitionListener;
import dev.leasehold.lock.AcquisitionResult;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockListener;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Tracks the locks held and waited for in this process. Thread-safe. */
final class LocksNow implements LockListener {
  private final Set<Acquisition> waiting = ConcurrentHashMap.newKeySet();
  private final Set<Acquisition> held = ConcurrentHashMap.newKeySet();

  @Override
  public void on(LockEvent event) {}

  @Override
  public Optional<AcquisitionListener> asked(LockKind kind, String lockName) {
    Acquisition acquisition = new Acquisition(kind, lockName);
    waiting.add(acquisition);
    return Optional.of(acquisition);
  }

  List<Map<String, String>> held() {
    return told(held);
  }

  List<Map<String, String>> waiting() {
    return told(waiting);
  }

  private static List<Map<String, String>> told(Set<Acquisition> some) {
    return some.stream()
        .sorted(Comparator.comparing(one -> one.since))
        .map(Acquisition::told)
        .toList();
  }

  private final class Acquisition implements AcquisitionListener {
    private final LockKind kind;
    private final String name;
    private final String thread = Thread.currentThread().getName();
    private volatile Instant since = Instant.now();

    Acquisition(LockKind kind, String name) {
      this.kind = kind;
      this.name = name;
    }

    @Override
    public void decided(AcquisitionResult result) {
      if (result.outcome().beginsHold()) {
        since = Instant.now();
        held.add(this);
      }
      waiting.remove(this);
    }

    @Override
    public void ended(Optional<LeaseLoss> loss) {
      held.remove(this);
    }

    Map<String, String> told() {
      return Map.of(
          "kind",
          kind.name().toLowerCase(Locale.ROOT),
          "name",
          name,
          "since",
          since.toString(),
          "thread",
          thread);
    }
  }
}
