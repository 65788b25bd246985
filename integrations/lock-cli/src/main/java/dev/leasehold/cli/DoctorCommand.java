package dev.leasehold.cli;

import dev.leasehold.admin.Finding;
import dev.leasehold.admin.Finding.Level;
import dev.leasehold.admin.LockAdmin;
import dev.leasehold.cli.listing.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Examines servers, settings and rights. */
@Command(
    name = "doctor",
    sortOptions = false,
    description =
        "Examines the servers, and acquires locks as an application would. Prints what to do"
            + " about each problem. The exit code is 78 if there is one.")
final class DoctorCommand extends AdminCommand {
  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "Name of the lock to acquire, for a user who has permission for some names only. Other"
              + " kinds append -rw and -permits to it. Default: leasehold-doctor- and random"
              + " characters.")
  @Nullable String name;

  @Option(names = "--no-trial", description = "Acquires no lock, so nothing is written.")
  boolean withoutTrial;

  @Option(names = "--json", description = "Prints one JSON object per line for each finding.")
  boolean json;

  @Override
  void check() {
    if (withoutTrial && name != null) {
      throw new UsageException("--name: allowed only without --no-trial");
    }
  }

  @Override
  int run(LockAdmin admin, CommandSettings settings) throws InterruptedException {
    List<Finding> findings = new ArrayList<>(admin.examine());
    if (!withoutTrial) {
      findings.addAll(new Trial(settings, admin, trialName()).findings());
    }
    findings.forEach(finding -> print(finding));
    boolean sound = findings.stream().noneMatch(finding -> finding.level() == Level.PROBLEM);
    return sound ? ExitCode.OK : ExitCode.UNSOUND;
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
