package dev.leasehold.cli;

import dev.leasehold.admin.LockAdmin;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A subcommand that looks at the locks on their servers. */
abstract class AdminCommand implements Callable<Integer> {
  @Mixin ConnectionOptions store;

  /** Checks the options, before anything is connected. */
  void check() {}

  /**
   * Runs it; returns the exit code.
   *
   * @param settings the admin's: read once, since {@code --config} may be a pipe
   */
  abstract int run(LockAdmin admin, CommandSettings settings) throws InterruptedException;

  @Override
  public Integer call() throws InterruptedException {
    check();
    CommandSettings settings = store.read(System.getenv());
    try (LockAdmin admin = LockAdmin.open(settings)) {
      int code = run(admin, settings);
      System.out.flush();
      return code;
    }
  }

  /** Prints a result on standard output, at once. */
  static int done(String words) {
    System.out.println(words);
    System.out.flush();
    return ExitCode.OK;
  }

  /** Prints why there is no result, and returns the exit code for that. */
  static int failed(int code, String words) {
    Messages.error(words);
    return code;
  }
}
