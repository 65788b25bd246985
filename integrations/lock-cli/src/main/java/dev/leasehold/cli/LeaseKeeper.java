package dev.leasehold.cli;

import dev.leasehold.cli.process.CommandGroup;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends a command before its lease expires. While renewals fail, it sends SIGTERM by the grace time
 * before the deadline, and SIGKILL before the deadline; both at once if the lease is lost. Runs on
 * its own daemon thread.
 */
final class LeaseKeeper {
  private static final Duration LONGEST_MARGIN = Duration.ofMillis(250);
  private static final Duration SHORTEST_MARGIN = Duration.ofMillis(20);
  private static final int MARGIN_OF_GRACE = 4;

  private final Lease lease;
  private final CommandGroup command;
  private final Duration grace;
  private final Duration margin;
  private final Thread thread;
  private volatile @Nullable LeaseLoss loss;
  private volatile @Nullable String why;

  private LeaseKeeper(Lease lease, CommandGroup command, Duration grace) {
    this.lease = lease;
    this.command = command;
    this.grace = grace;
    this.margin = margin(grace);
    this.thread = new Thread(this::keep, "leasehold-keeper");
    thread.setDaemon(true);
  }

  static LeaseKeeper start(Lease lease, CommandGroup command, Duration grace) {
    LeaseKeeper keeper = new LeaseKeeper(lease, command, grace);
    keeper.thread.start();
    lease
        .lost()
        .thenAccept(
            loss -> {
              keeper.loss = loss;
              LockSupport.unpark(keeper.thread);
            });
    return keeper;
  }

  /** Returns how long before the deadline the command is killed. */
  private static Duration margin(Duration grace) {
    Duration part = grace.dividedBy(MARGIN_OF_GRACE);
    if (part.compareTo(LONGEST_MARGIN) > 0) {
      return LONGEST_MARGIN;
    }
    return part.compareTo(SHORTEST_MARGIN) < 0 ? SHORTEST_MARGIN : part;
  }

  /** Stops watching the lease, since the command has ended. */
  void stop() {
    thread.interrupt();
  }

  /** Returns why the command was sent a signal, if it was. */
  Optional<String> why() {
    return Optional.ofNullable(why);
  }

  private void keep() {
    boolean warned = false;
    while (!Thread.currentThread().isInterrupted()) {
      LeaseLoss lost = loss;
      Duration left = lease.remaining();
      if (lost != null || left.compareTo(margin) <= 0) {
        why =
            lost == null
                ? "the lease of " + name() + " was not renewed in time"
                : "the lease of " + name() + " was lost: " + Quoted.text(lost.detail());
        command.signal("TERM");
        command.signal("CONT");
        command.signal("KILL");
        return;
      }
      if (!warned && left.compareTo(grace) <= 0) {
        warned = true;
        why =
            "the lease of "
                + name()
                + " was not renewed; the command got SIGTERM "
                + Setting.written(left)
                + " before its end";
        command.late();
        command.signal("TERM");
        command.signal("CONT");
      }
      LockSupport.parkNanos(left.minus(warned ? margin : grace).toNanos());
    }
  }

  private String name() {
    return Quoted.name(lease.lockName());
  }
}
