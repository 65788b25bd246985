package dev.leasehold.cli;

import dev.leasehold.admin.LockAdmin;
import dev.leasehold.admin.LockListing;
import dev.leasehold.cli.listing.Json;
import dev.leasehold.cli.listing.ListingChanges;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints changes of the listing. */
@Command(
    name = "watch",
    sortOptions = false,
    description =
        "Lists the locks in use, and then each change: taken, passed on, released, more or fewer"
            + " waiters. A lock that is held only between two reads is not seen. Runs until"
            + " interrupted.")
final class WatchCommand extends AdminCommand {
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofDays(365);

  @Mixin PatternOption names;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      defaultValue = "1s",
      description = "Interval between reads, 100ms to 1h. Default: ${DEFAULT-VALUE}.")
  String every;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "Stops after this time, at least 100ms. Default: when interrupted.")
  @Nullable String time;

  @Option(names = "--json", description = "Prints one JSON object per line for each change.")
  boolean json;

  private Duration pause = SHORTEST;
  private @Nullable Duration length;

  @Override
  void check() {
    pause = parsed("--every", every, Duration.ofHours(1));
    length = time == null ? null : parsed("--for", time, LONGEST);
  }

  @Override
  int run(LockAdmin admin, CommandSettings settings) throws InterruptedException {
    long begun = System.nanoTime();
    ListingChanges changes = new ListingChanges();
    for (boolean first = true; ; first = false) {
      LockListing listing = names.apply(admin::list);
      List<ListingChanges.Change> seen = changes.next(listing);
      Instant now = Instant.now();
      for (ListingChanges.Change change : seen) {
        System.out.println(json ? Json.of(change, now) : Words.line(change, now));
      }
      System.out.flush();
      if (first) {
        Messages.warnings(listing.omissions());
      }
      if (length != null && System.nanoTime() - begun >= length.toNanos()) {
        return ExitCode.OK;
      }
      Thread.sleep(pause.toMillis());
    }
  }

  private static Duration parsed(String option, String text, Duration longest) {
    return Setting.duration(option, SHORTEST, SHORTEST, longest, "").parse(text, "command line");
  }
}
