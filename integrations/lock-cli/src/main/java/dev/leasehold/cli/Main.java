package dev.leasehold.cli;

import dev.leasehold.cli.listing.TooManyLocksException;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Quoted;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;

/** Where the JVM begins. */
public final class Main {
  private Main() {}

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The command, with its subcommands, errors and exit codes. */
  static CommandLine commandLine() {
    return new CommandLine(new LeaseholdCommand())
        .setColorScheme(Help.defaultColorScheme(Messages.colours(1)))
        .setParameterExceptionHandler((wrong, arguments) -> wrongUsage(wrong))
        .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure));
  }

  private static int wrongUsage(ParameterException wrong) {
    String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
    Messages.error(Quoted.text(String.valueOf(wrong.getMessage())));
    Messages.error("try '" + command + " --help'");
    return ExitCode.USAGE;
  }

  private static int failed(Exception failure) {
    if (failure instanceof LockConfigurationException
        || failure instanceof UsageException
        || failure instanceof TooManyLocksException) {
      Messages.error(String.valueOf(failure.getMessage()));
      return ExitCode.USAGE;
    }
    if (failure instanceof LockStoreException store) {
      Messages.error("the store: " + store.getMessage() + " (" + store.kind() + ")");
      return ExitCode.STORE;
    }
    if (failure instanceof LeaseLostException) {
      Messages.error(String.valueOf(failure.getMessage()));
      return ExitCode.LOST;
    }
    Messages.error("a defect, please report it: " + failure);
    failure.printStackTrace();
    return ExitCode.DEFECT;
  }
}
