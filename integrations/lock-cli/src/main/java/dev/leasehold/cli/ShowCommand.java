package dev.leasehold.cli;

import dev.leasehold.admin.LockAdmin;
import dev.leasehold.admin.LockDetails;
import dev.leasehold.cli.listing.Json;
import dev.leasehold.lock.spi.Quoted;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one name in detail. */
@Command(
    name = "show",
    sortOptions = false,
    description =
        "Shows the holders of a lock, where they are connected from, and its waiters in order.")
final class ShowCommand extends AdminCommand {
  @Parameters(index = "0", paramLabel = "NAME", description = "The lock's name.")
  String name;

  @Option(names = "--json", description = "Prints one JSON object per line for each kind of lock.")
  boolean json;

  @Override
  int run(LockAdmin admin, CommandSettings settings) {
    List<LockDetails> kinds = admin.show(name);
    for (LockDetails lock : kinds) {
      System.out.println(
          json ? Json.of(lock) : String.join(System.lineSeparator(), Words.lines(lock)));
    }
    if (kinds.isEmpty() && !json) {
      System.out.println(Quoted.name(name) + " is free");
    }
    return ExitCode.OK;
  }
}
