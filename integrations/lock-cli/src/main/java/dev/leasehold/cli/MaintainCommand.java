package dev.leasehold.cli;

import dev.leasehold.admin.BreakResult;
import dev.leasehold.admin.LockAdmin;
import dev.leasehold.admin.MaintainResult;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Holds a lock for maintenance. */
@Command(
    name = "maintain",
    sortOptions = false,
    description =
        "Holds a lock for maintenance until a given time, or ends that early. Anyone who looks at"
            + " the holder sees the reason and the end.")
final class MaintainCommand extends AdminCommand {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(365);

  @Parameters(index = "0", paramLabel = "NAME", description = "The lock's name.")
  String name;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "1 to 28 of A-Z a-z 0-9 . - and spaces between them.")
  @Nullable String reason;

  @Option(names = "--for", paramLabel = "TIME", description = "How long: 30m, 2h, 1d.")
  @Nullable String time;

  @Option(names = "--end", description = "Ends the maintenance of this name now.")
  boolean end;

  private Duration length = SHORTEST;

  @Override
  void check() {
    if (end && (reason != null || time != null)) {
      throw new UsageException("--end: allowed only without --reason and --for");
    }
    if (!end && (reason == null || time == null)) {
      throw new UsageException("--reason and --for: both are needed, or --end");
    }
    if (time != null) {
      length =
          Setting.duration("--for", SHORTEST, SHORTEST, LONGEST, "").parse(time, "command line");
    }
  }

  @Override
  int run(LockAdmin admin, CommandSettings settings) {
    return reason == null ? end(admin) : report(take(admin, reason));
  }

  private MaintainResult take(LockAdmin admin, String why) {
    try {
      return admin.maintain(name, why, Instant.now().plus(length));
    } catch (IllegalArgumentException e) {
      throw new UsageException("--reason: " + e.getMessage());
    }
  }

  private int report(MaintainResult result) {
    if (result instanceof MaintainResult.Taken taken) {
      return done(Quoted.name(name) + ": " + Words.hold(taken.hold()));
    }
    if (result instanceof MaintainResult.Refused refused) {
      String by = refused.now().isEmpty() ? "another" : Words.hold(refused.now().get(0));
      return failed(ExitCode.CONTENDED, Quoted.name(name) + " is not free: " + by);
    }
    if (result instanceof MaintainResult.TooFewNodes few) {
      return failed(
          ExitCode.STORE, "too few of " + few.nodes().size() + " nodes granted it: it is not held");
    }
    return failed(ExitCode.USAGE, ((MaintainResult.NotPossible) result).why());
  }

  private int end(LockAdmin admin) {
    BreakResult result = admin.endMaintenance(name);
    if (result instanceof BreakResult.Broken || result instanceof BreakResult.NotHeld) {
      return done(Quoted.name(name) + " is not held for maintenance any more");
    }
    return result instanceof BreakResult.HeldByAnother
        ? failed(ExitCode.CONTENDED, Quoted.name(name) + " is held, but not for maintenance")
        : failed(ExitCode.STORE, "too few nodes could be reached: it is still held");
  }
}
