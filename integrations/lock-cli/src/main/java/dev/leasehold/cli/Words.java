package dev.leasehold.cli;

import dev.leasehold.admin.Finding;
import dev.leasehold.admin.HoldState;
import dev.leasehold.admin.ListedHold;
import dev.leasehold.admin.ListedLock;
import dev.leasehold.admin.LockDetails;
import dev.leasehold.admin.QueuedWaiter;
import dev.leasehold.admin.Side;
import dev.leasehold.cli.listing.ListingChanges;
import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Formats locks as lines of text. Names and labels are untrusted, so they are escaped. */
final class Words {
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

  private Words() {}

  /** Formats one line of a listing. */
  static String line(ListedLock lock) {
    String holders =
        lock.holds().isEmpty()
            ? "no holder"
            : hold(lock.holds().get(0))
                + (lock.holders() > 1 ? ", and " + (lock.holders() - 1) + " more" : "");
    String waiting = lock.waiting() == 0 ? "" : "; " + lock.waiting() + " waiting";
    return lock.named() + ": " + holders + latch(lock) + waiting;
  }

  /** Formats a change: {@code 03:00:01 taken, lock 'orders': held by ...}. */
  static String line(ListingChanges.Change change, Instant seen) {
    String time = CLOCK.format(seen);
    ListedLock lock = change.lock();
    return time
        + " "
        + change.what()
        + ", "
        + switch (change.what()) {
          case RELEASED, ENDED -> lock.named();
          case EXPIRED -> lock.named() + ", not renewed by " + holder(lock);
          default -> line(lock);
        };
  }

  private static String holder(ListedLock lock) {
    return lock.holds().size() == 1
        ? Quoted.text(lock.holds().get(0).holder())
        : "one of " + lock.holders() + " holders";
  }

  /** Formats one lock with all details. */
  static List<String> lines(LockDetails lock) {
    ListedLock entry = lock.entry();
    List<String> lines = new ArrayList<>();
    lines.add(entry.named() + ": " + count(entry) + latch(entry));
    entry.holds().forEach(hold -> lines.add("  " + hold(hold)));
    lock.waiters().forEach(waiter -> lines.add("  " + waiter(waiter)));
    lock.connections()
        .forEach(
            (label, all) ->
                all.forEach(
                    connection ->
                        lines.add(
                            "  "
                                + Quoted.text(label)
                                + " is connected from "
                                + Quoted.text(connection.address())
                                + ", for "
                                + time(connection.age()))));
    lock.nodes()
        .forEach(
            node ->
                node.failure()
                    .ifPresent(why -> lines.add("  " + Quoted.text(node.node() + ": " + why))));
    return lines;
  }

  private static String count(ListedLock entry) {
    String held = entry.holders() == 1 ? "1 hold" : entry.holders() + " holds";
    String of = entry.permits().isPresent() ? " of " + entry.permits().getAsInt() : "";
    return held + of + ", " + entry.waiting() + " waiting";
  }

  private static String latch(ListedLock lock) {
    return (lock.missing().isPresent() ? ", " + lock.missing().getAsLong() + " missing" : "")
        + lock.ends().map(time -> ", valid for " + time(time)).orElse("");
  }

  /** Formats the holder, the remaining time, and the id for {@code break}. */
  static String hold(ListedHold hold) {
    StringBuilder words = new StringBuilder(state(hold));
    hold.remaining()
        .ifPresentOrElse(
            time -> words.append(", ").append(time(time)).append(" left"),
            () -> words.append(", without an end"));
    hold.since()
        .ifPresent(since -> words.append(", since ").append(since.truncatedTo(ChronoUnit.SECONDS)));
    hold.fencingToken().ifPresent(token -> words.append(", token ").append(token));
    if (!hold.votes().enough()) {
      words.append(", without a quorum");
    }
    return words.append(", id ").append(hold.id()).toString();
  }

  private static String state(ListedHold hold) {
    if (hold.maintenance().isPresent()) {
      return "held for maintenance: "
          + hold.maintenance().get().reason()
          + " until "
          + hold.maintenance().get().until();
    }
    String how =
        hold.state() == HoldState.HELD
            ? hold.side() == Side.READ ? "read" : hold.side() == Side.WRITE ? "written" : "held"
            : hold.state().name().toLowerCase(Locale.ROOT);
    String permits = hold.permits() == 1 ? "" : ", " + hold.permits() + " permits";
    return how + " by " + Quoted.text(hold.holder()) + permits;
  }

  /** Formats place, label and waiting time. */
  static String waiter(QueuedWaiter waiter) {
    return waiter.place()
        + ". "
        + Quoted.text(waiter.holder())
        + " is waiting"
        + (waiter.permits() == 1 ? "" : " for " + waiter.permits() + " permits")
        + waiter.waiting().map(time -> ", for " + time(time)).orElse("");
  }

  /** Formats a finding, followed by the advice. */
  static List<String> lines(Finding finding) {
    String colour =
        switch (finding.level()) {
          case OK -> "green";
          case NOTICE -> "cyan";
          case WARNING -> "bold,yellow";
          case PROBLEM -> "bold,red";
        };
    String level =
        String.format(Locale.ROOT, "%-8s", finding.level().name().toLowerCase(Locale.ROOT));
    String topic =
        String.format(Locale.ROOT, "%-12s", finding.topic().name().toLowerCase(Locale.ROOT));
    String server = finding.server().isEmpty() ? "" : finding.server() + ": ";
    List<String> lines = new ArrayList<>();
    lines.add(
        Messages.colours(1).string("@|" + colour + " " + level + "|@ ")
            + topic
            + Quoted.text(server + finding.text()));
    if (!finding.advice().isEmpty()) {
      lines.add(" ".repeat(level.length() + 1) + "-> " + Quoted.text(finding.advice()));
    }
    return lines;
  }

  /** Formats how long mutual exclusion may be suspended after a break. */
  static String believed(Optional<Duration> time) {
    return time.map(Words::time).orElse("an unknown time, since the hold has no end");
  }

  /** Formats seconds with one decimal, and from a minute on whole units. */
  static String time(Duration time) {
    if (time.compareTo(Duration.ofMinutes(1)) < 0) {
      return String.format(Locale.ROOT, "%.1fs", time.toMillis() / 1000.0);
    }
    Duration whole = time.truncatedTo(ChronoUnit.SECONDS);
    return whole.toString().substring(2).toLowerCase(Locale.ROOT);
  }
}
