package dev.leasehold.cli;

import dev.leasehold.admin.Finding;
import dev.leasehold.admin.Finding.Level;
import dev.leasehold.admin.LockAdmin;
import dev.leasehold.cli.listing.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Examines servers, settings and rights. */
@Command(
    name = "doctor",
    sortOptions = false,
    description =
        "Examines the servers, and takes locks for a trial as an application would. Says of each"
            + " problem what to do. The exit code is 78 if there is one.")
final class DoctorCommand implements Callable<Integer> {
  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "The lock that is taken: one that the user may have, if rights are limited to some. The"
              + " other kinds have -rw and -permits behind it. By default leasehold-doctor- and some"
              + " random characters.")
  @Nullable String name;

  @Option(names = "--no-trial", description = "Takes no lock, and so writes nothing.")
  boolean withoutTrial;

  @Option(names = "--json", description = "One JSON object on a line for each finding.")
  boolean json;

  @Mixin ConnectionOptions store;

  @SuppressWarnings("NullAway.Init") // picocli sets what has no default
  DoctorCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    if (withoutTrial && name != null) {
      throw new UsageException("--name: allowed only without --no-trial");
    }
    CommandSettings settings = store.read(System.getenv());
    try (LockAdmin admin = LockAdmin.open(settings)) {
      List<Finding> findings = new ArrayList<>(admin.examine());
      if (!withoutTrial) {
        findings.addAll(new Trial(settings, admin, trialName()).findings());
      }
      findings.forEach(finding -> print(finding));
      System.out.flush();
      boolean sound = findings.stream().noneMatch(finding -> finding.level() == Level.PROBLEM);
      return sound ? ExitCode.OK : ExitCode.UNSOUND;
    }
  }

  private String trialName() {
    return name == null ? "leasehold-doctor-" + UUID.randomUUID().toString().substring(0, 8) : name;
  }

  private void print(Finding finding) {
    if (json) {
      System.out.println(Json.of(finding));
    } else {
      Words.lines(finding).forEach(System.out::println);
    }
  }
}
