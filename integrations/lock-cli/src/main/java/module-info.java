/**
 * The command {@code leasehold}: runs commands under locks, and shows and ends holds. Programs use
 * {@link dev.leasehold.lock} instead: nothing is exported.
 */
module dev.leasehold.cli {
  requires com.google.gson;
  requires dev.leasehold.admin;
  requires dev.leasehold.lock;
  requires info.picocli;
  requires jdk.httpserver;
  requires jdk.unsupported;
  requires static org.jspecify;

  opens dev.leasehold.cli to
      info.picocli;

  provides System.LoggerFinder with
      dev.leasehold.cli.StderrLoggers;
}
