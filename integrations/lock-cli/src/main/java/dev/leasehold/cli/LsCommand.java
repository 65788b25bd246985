package dev.leasehold.cli;

import dev.leasehold.admin.LockAdmin;
import dev.leasehold.admin.LockEntry;
import dev.leasehold.admin.LockListing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists locks in use. */
@Command(
    name = "ls",
    sortOptions = false,
    description = "Lists the locks in use, with their holders. What can't be listed is said last.")
final class LsCommand implements Runnable {
  @Parameters(
      index = "0",
      paramLabel = "PATTERN",
      defaultValue = "*",
      description = "Of the names, as of SCAN: * ? [a-c]; by default all.")
  String pattern;

  @Option(names = "--json", description = "One JSON object on a line for each lock.")
  boolean json;

  @Mixin StoreOptions store;

  @SuppressWarnings("NullAway.Init") // picocli sets what has no default
  LsCommand() {}

  @Override
  public void run() {
    try (LockAdmin admin = LockAdmin.open(store.read(System.getenv()))) {
      LockListing listing = list(admin);
      for (LockEntry lock : listing) {
        System.out.println(json ? Json.of(lock) : Words.line(lock));
      }
      System.out.flush();
      listing.omissions().forEach(omission -> Messages.warning(omission.words()));
    }
  }

  private LockListing list(LockAdmin admin) {
    try {
      return admin.list(pattern);
    } catch (IllegalArgumentException e) {
      throw new UsageException("PATTERN: " + e.getMessage());
    }
  }
}
