package dev.leasehold.cli;

import dev.leasehold.admin.LockAdmin;
import dev.leasehold.admin.Wait;
import dev.leasehold.admin.WaitGraph;
import dev.leasehold.cli.listing.Json;
import dev.leasehold.lock.spi.Quoted;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows who waits for whom. */
@Command(
    name = "wait-graph",
    sortOptions = false,
    description =
        "Shows who waits for whom, and marks cycles, which may be deadlocks. Servers know"
            + " processes, not threads: a cycle is a deadlock unless another thread of one of its"
            + " processes releases a lock.")
final class WaitGraphCommand extends AdminCommand {
  @Mixin PatternOption names;

  @Option(names = "--json", description = "Prints one JSON object.")
  boolean json;

  @Override
  int run(LockAdmin admin, CommandSettings settings) {
    WaitGraph graph = names.apply(admin::waits);
    if (json) {
      System.out.println(Json.of(graph));
    } else {
      graph.waits().forEach(wait -> System.out.println(line(wait, graph.cycle(wait))));
      for (int i = 0; i < graph.cycles().size(); i++) {
        System.out.println(cycle(i + 1, graph.cycles().get(i)));
      }
    }
    System.out.flush();
    Messages.warnings(graph.omissions());
    return ExitCode.OK;
  }

  private static String line(Wait wait, int cycle) {
    String holders =
        wait.holders().isEmpty()
            ? "which has no holder now"
            : "held by " + String.join(", ", wait.holders().stream().map(Quoted::text).toList());
    return wait.named()
        + ": "
        + Words.waiter(wait.waiter())
        + ", "
        + holders
        + (cycle == 0 ? "" : Messages.colours(1).string(" @|bold,red (cycle " + cycle + ")|@"));
  }

  private static String cycle(int number, List<String> labels) {
    String all = String.join(", ", labels.stream().map(Quoted::text).toList());
    String wait = labels.size() == 1 ? " waits for itself" : " wait for each other";
    return Messages.colours(1).string("@|bold,red cycle " + number + ":|@ ") + all + wait;
  }
}
