package dev.leasehold.cli;

import dev.leasehold.admin.LockAdmin;
import dev.leasehold.admin.LockDetails;
import dev.leasehold.cli.listing.Json;
import dev.leasehold.lock.spi.Quoted;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one name in detail. */
@Command(
    name = "show",
    sortOptions = false,
    description =
        "Shows the holders of a lock, where they are connected from, and its waiters in order.")
final class ShowCommand implements Runnable {
  @Parameters(index = "0", paramLabel = "NAME", description = "The lock's name.")
  String name;

  @Option(names = "--json", description = "Prints one JSON object per line for each kind of lock.")
  boolean json;

  @Mixin ConnectionOptions store;

  @SuppressWarnings("NullAway.Init") // picocli sets what has no default
  ShowCommand() {}

  @Override
  public void run() {
    try (LockAdmin admin = LockAdmin.open(store.read(System.getenv()))) {
      List<LockDetails> kinds = admin.show(name);
      for (LockDetails lock : kinds) {
        if (json) {
          System.out.println(Json.of(lock));
        } else {
          Words.lines(lock).forEach(System.out::println);
        }
      }
      if (kinds.isEmpty() && !json) {
        System.out.println(Quoted.name(name) + " is free");
      }
      System.out.flush();
    }
  }
}
