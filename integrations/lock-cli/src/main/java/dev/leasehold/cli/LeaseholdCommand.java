package dev.leasehold.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The top-level command. */
@Command(
    name = "leasehold",
    description = "Distributed locks on Redis, for shells.",
    versionProvider = Version.class,
    footer = {
      "",
      "Exit codes: 64 wrong usage; 69 the store is unreachable or refused; 70 a bug; 71 the"
          + " command can't be started; 75 the lock is held by others; 78 doctor found a problem;"
          + " 79 the lock was lost while the command ran. Any other code is the command's own."
    })
final class LeaseholdCommand implements Runnable {
  @Spec CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      order = 5,
      usageHelp = true,
      description = "Shows this help.",
      scope = CommandLine.ScopeType.INHERIT)
  boolean help;

  @Option(
      names = {"-V", "--version"},
      order = 6,
      versionHelp = true,
      description = "Shows the version.")
  boolean version;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a subcommand is missing: allowed is one of " + subcommands());
  }

  private String subcommands() {
    return String.join(", ", spec.subcommands().keySet());
  }
}
