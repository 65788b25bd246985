package dev.leasehold.cli;

import dev.leasehold.admin.ListedLock;
import dev.leasehold.admin.LockAdmin;
import dev.leasehold.admin.LockListing;
import dev.leasehold.cli.listing.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the locks in use. */
@Command(
    name = "ls",
    sortOptions = false,
    description = "Lists the locks in use, with their holders, and last what can't be listed.")
final class LsCommand extends AdminCommand {
  @Mixin PatternOption names;

  @Option(names = "--json", description = "Prints one JSON object per line for each lock.")
  boolean json;

  @Override
  int run(LockAdmin admin, CommandSettings settings) {
    LockListing listing = names.apply(admin::list);
    for (ListedLock lock : listing) {
      System.out.println(json ? Json.of(lock) : Words.line(lock));
    }
    System.out.flush();
    Messages.warnings(listing.omissions());
    return ExitCode.OK;
  }
}
