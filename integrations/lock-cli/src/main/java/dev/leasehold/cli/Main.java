package dev.leasehold.cli;

import dev.leasehold.cli.listing.TooManyLocksException;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Quoted;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The entry point. */
public final class Main {
  /**
   * The configuration of the JDK's log, in which Netty and Lettuce write where SLF4J has no
   * provider. It is empty: what they write is no message of the command.
   */
  private static final String JDK_LOG = "java.util.logging.config.file";

  /** The subcommands, in the order of the help. */
  private static final Map<String, Class<?>> SUBCOMMANDS = subcommands();

  private Main() {}

  private static Map<String, Class<?>> subcommands() {
    Map<String, Class<?>> all = new LinkedHashMap<>();
    all.put("run", RunCommand.class);
    all.put("ls", LsCommand.class);
    all.put("show", ShowCommand.class);
    all.put("watch", WatchCommand.class);
    all.put("wait-graph", WaitGraphCommand.class);
    all.put("doctor", DoctorCommand.class);
    all.put("console", ConsoleCommand.class);
    all.put("break", BreakCommand.class);
    all.put("maintain", MaintainCommand.class);
    all.put("completion", CompletionCommand.class);
    return all;
  }

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    if (System.getProperty(JDK_LOG) == null) {
      System.setProperty(JDK_LOG, "/dev/null");
    }
    System.exit(commandLine(arguments).execute(arguments));
  }

  /**
   * Creates the command line with its subcommands, error messages and exit codes. If the first
   * argument names a subcommand, only that one is added: reading the annotations of all takes
   * longer than acquiring a lock.
   */
  static CommandLine commandLine(String... arguments) {
    CommandLine command = new CommandLine(new LeaseholdCommand());
    Class<?> only = arguments.length == 0 ? null : SUBCOMMANDS.get(arguments[0]);
    if (only == null || only == CompletionCommand.class) {
      SUBCOMMANDS.values().forEach(command::addSubcommand);
    } else {
      command.addSubcommand(only);
    }
    return command
        .setColorScheme(Help.defaultColorScheme(Messages.colours(1)))
        .setParameterExceptionHandler((wrong, words) -> wrongUsage(wrong))
        .setExecutionExceptionHandler((failure, line, parsed) -> failed(failure));
  }

  private static int wrongUsage(ParameterException wrong) {
    String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
    Messages.error(Quoted.text(message(wrong)));
    Messages.error("try '" + command + " --help'");
    return ExitCode.USAGE;
  }

  private static String message(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    if (command.getParent() == null
        && wrong instanceof UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().get(0).startsWith("-")) {
      return "there is no subcommand "
          + Quoted.name(unmatched.getUnmatched().get(0))
          + ": allowed is one of "
          + String.join(", ", command.getSubcommands().keySet());
    }
    return String.valueOf(wrong.getMessage());
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
    Messages.error("this is a bug, please report it: " + failure);
    failure.printStackTrace();
    return ExitCode.DEFECT;
  }
}
