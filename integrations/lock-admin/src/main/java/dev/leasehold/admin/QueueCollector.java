package dev.leasehold.admin;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects the queues of all locks. Not thread-safe. */
final class QueueCollector {
  private final Showing showing;
  private final List<Wait> waits = new ArrayList<>();

  /** The names already read: SCAN may return a lock twice. */
  private final Set<String> looked = new LinkedHashSet<>();

  QueueCollector(Showing showing) {
    this.showing = showing;
  }

  WaitGraph among(LockListing listing) {
    boolean all = true;
    for (ListedLock entry : listing) {
      if (entry.waiting() > 0 && looked.add(entry.name())) {
        showing.look(entry.name()).locks().forEach(this::add);
      }
      if (waits.size() > WaitGraph.MOST) {
        all = false;
        break;
      }
    }
    List<Omission> omissions = new ArrayList<>(listing.omissions());
    if (!all) {
      omissions.add(
          new Omission(
              Omission.Reason.TOO_MANY,
              "Only the first " + WaitGraph.MOST + " waits are shown: use a narrower pattern."));
    }
    return WaitGraph.of(all ? waits : waits.subList(0, WaitGraph.MOST), omissions);
  }

  /**
   * Adds a lock. A reservation or the rest of a minimum hold is not a holder: it ends by itself.
   */
  private void add(Merge.Whole lock) {
    ListedLock entry = lock.entry();
    List<String> holders =
        entry.holds().stream()
            .filter(h -> h.state() == HoldState.HELD || h.state() == HoldState.MAINTENANCE)
            .map(ListedHold::holder)
            .distinct()
            .toList();
    for (QueuedWaiter waiter : lock.waiters()) {
      waits.add(new Wait(entry.name(), entry.kind(), waiter, holders));
    }
  }
}
