package dev.leasehold.redisson;

import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.Scheduler.Scheduled;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Redisson's own watchdog as a manager's renewer. It does not report the outcome of a renewal. So
 * each lease is also checked a few times in its length, and only that moves the deadline. If less
 * time is left than the lease promises, the check renews it.
 *
 * <p>A lease longer than the client's {@code lockWatchdogTimeout} is renewed by the checks alone.
 */
final class RedissonWatchdog implements LeaseRenewer {
  private static final int LOOKS = 3;
  private static final int SOONER = 10;
  private static final double JITTER = 0.1;

  private final Watched watched;
  private final ConcurrentHashMap<RenewableLease, Entry> entries = new ConcurrentHashMap<>();
  private @Nullable Context context;
  private volatile boolean closed;

  RedissonWatchdog(Watched watched) {
    this.watched = watched;
    watched.use();
  }

  private static final class Entry {
    private final AtomicReference<Optional<Watched.Watch>> watch;
    volatile @Nullable Scheduled timer;

    Entry(Optional<Watched.Watch> watch) {
      this.watch = new AtomicReference<>(watch);
    }

    /** What the watchdog has to stop renewing; returned once. */
    Optional<Watched.Watch> takeWatch() {
      return watch.getAndSet(Optional.empty());
    }
  }

  @Override
  public void start(Context context) {
    this.context = context;
  }

  private Context context() {
    return Objects.requireNonNull(context, "not started");
  }

  @Override
  public void add(RenewableLease lease) {
    Entry entry = new Entry(watched.begin(lease.lockName(), longest(lease)));
    entries.put(lease, entry);
    if (closed) {
      remove(lease);
    } else {
      lookAfter(usual(lease), lease, entry);
    }
  }

  /** A minimum hold makes a lease longer at first, and that must not be cut either. */
  private static Duration longest(RenewableLease lease) {
    Duration left = lease.remaining();
    return left.compareTo(lease.lease()) > 0 ? left : lease.lease();
  }

  private Duration usual(RenewableLease lease) {
    Duration third = lease.lease().dividedBy(LOOKS);
    return third.minusNanos((long) (third.toNanos() * JITTER * context().random().nextDouble()));
  }

  private void lookAfter(Duration pause, RenewableLease lease, Entry entry) {
    entry.timer = context().scheduler().schedule(pause, () -> look(lease, entry));
    if (entries.get(lease) != entry) {
      cancel(entry);
    }
  }

  private void look(RenewableLease lease, Entry entry) {
    if (entries.get(lease) != entry) {
      return;
    }
    if (watched.isTooLong(lease.lease())) { // handed over to an owner with a longer lease
      entry.takeWatch().ifPresent(watched::end);
    }
    context()
        .renew(List.of(lease))
        .get(0)
        .thenAccept(
            outcome -> {
              switch (outcome) {
                case RENEWED -> lookAfter(usual(lease), lease, entry);
                case FAILED -> lookAfter(lease.remaining().dividedBy(SOONER), lease, entry);
                case ENDED -> remove(lease);
              }
            });
  }

  @Override
  public void remove(RenewableLease lease) {
    Entry entry = entries.remove(lease);
    if (entry != null) {
      cancel(entry);
      entry.takeWatch().ifPresent(watched::end);
    }
  }

  private static void cancel(Entry entry) {
    Scheduled timer = entry.timer;
    if (timer != null) {
      timer.cancel();
    }
  }

  @Override
  public void close() {
    closed = true;
    entries.keySet().forEach(this::remove);
  }
}
