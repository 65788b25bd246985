package dev.leasehold.cli;

import dev.leasehold.admin.BreakResult;
import dev.leasehold.admin.HoldId;
import dev.leasehold.admin.ListedHold;
import dev.leasehold.admin.LockAdmin;
import dev.leasehold.cli.process.Terminal;
import dev.leasehold.lock.spi.Quoted;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import java.util.Scanner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Ends a hold of another process. */
@Command(
    name = "break",
    sortOptions = false,
    description = {
      "Ends a hold as if its holder had released it. The holder learns of it at its next renewal"
          + " or deadline; until then, mutual exclusion is suspended. With --gently the lock"
          + " remains unavailable until then.",
      "Shows the hold and asks for confirmation, unless --yes is given."
    })
final class BreakCommand extends AdminCommand {
  @Parameters(index = "0", paramLabel = "NAME", description = "The lock's name.")
  String name;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description =
          "Id of the hold, as printed by \"leasehold show\". Optional if there is only one hold."
              + " A later hold is never ended.")
  @Nullable String id;

  @Option(
      names = "--gently",
      description = "Refuses its renewals, and keeps the lock unavailable until its deadline.")
  boolean gently;

  @Option(names = "--yes", description = "Does not ask for confirmation.")
  boolean yes;

  private @Nullable HoldId wanted;

  @Override
  void check() {
    wanted = id();
  }

  @Override
  int run(LockAdmin admin, CommandSettings settings) {
    List<ListedHold> holds =
        admin.show(name).stream().flatMap(lock -> lock.entry().holds().stream()).toList();
    if (holds.isEmpty()) {
      return done(Quoted.name(name) + " is not held");
    }
    ListedHold hold = one(holds, wanted);
    if (hold == null) {
      return failed(
          ExitCode.CONTENDED, "the hold " + wanted + " has ended; the lock has another holder");
    }
    if (!confirmed(hold)) {
      return done("nothing was changed");
    }
    return report(gently ? admin.breakGently(name, hold.id()) : admin.breakLock(name, hold.id()));
  }

  private @Nullable HoldId id() {
    try {
      return id == null ? null : new HoldId(id);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--id = " + Quoted.name(id) + ": allowed are 16 of 0-9 a-f");
    }
  }

  private static @Nullable ListedHold one(List<ListedHold> holds, @Nullable HoldId wanted) {
    if (wanted != null) {
      return holds.stream().filter(hold -> hold.id().equals(wanted)).findFirst().orElse(null);
    }
    if (holds.size() > 1) {
      throw new UsageException(
          "--id: there are " + holds.size() + " holds, allowed is the id of one of them");
    }
    return holds.get(0);
  }

  private boolean confirmed(ListedHold hold) {
    if (yes) {
      return true;
    }
    if (!Terminal.is(0)) {
      throw new UsageException("--yes: needed where there is no terminal to ask on");
    }
    System.err.println(Words.hold(hold));
    System.err.println(
        gently
            ? "Its renewals will be refused, and the lock remains unavailable for "
                + Words.believed(hold.remaining())
            : "Its holder may continue as if it held the lock for up to "
                + Words.believed(hold.believedFor()));
    System.err.print("Break it? [y/N] ");
    System.err.flush();
    try (Scanner in = new Scanner(System.in, Charset.defaultCharset())) {
      return in.hasNextLine() && in.nextLine().strip().toLowerCase(Locale.ROOT).startsWith("y");
    }
  }

  private int report(BreakResult result) {
    if (result instanceof BreakResult.Broken broken) {
      broken.failed().forEach(node -> Messages.warning("not reached: " + Quoted.text(node.node())));
      String woke = broken.wokeWaiter() ? "; a waiter was woken" : "";
      return done(
          gently
              ? "its renewals are refused; the lock is free in "
                  + Words.believed(broken.hold().remaining())
              : "broken"
                  + woke
                  + "; the former holder may continue for up to "
                  + Words.believed(broken.believedFor()));
    }
    if (result instanceof BreakResult.NotHeld) {
      return done("the hold has ended by itself");
    }
    if (result instanceof BreakResult.HeldByAnother) {
      return failed(ExitCode.CONTENDED, "the hold has ended; the lock has another holder");
    }
    if (result instanceof BreakResult.TooFewNodes few) {
      return failed(
          ExitCode.STORE,
          "freed on "
              + few.nodes().size()
              + " nodes only, and "
              + few.failed().size()
              + " could not be reached: the hold still has a majority");
    }
    return failed(ExitCode.USAGE, ((BreakResult.NotPossible) result).why());
  }
}
