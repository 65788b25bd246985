package dev.leasehold.testkit.report;

import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.RedisBackend;
import dev.leasehold.testkit.Specification;
import dev.leasehold.testkit.report.ReportPage.RuleName;
import dev.leasehold.testkit.server.RedisServers;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.logging.FileHandler;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Runs the suite's rules, and several processes that contend for one lock, against every backend on
 * the path; prints which guarantees each one kept.
 *
 * <pre>
 * java -cp … dev.leasehold.testkit.report.Report [options]
 *   --redis URL      runs against this server; rules that must stop or kill it are not run
 *   --server KIND    the server to start: embedded (the default), path, testcontainers, or the path
 *                    of a redis-server or valkey-server executable
 *   --backend ID     only this backend; repeatable
 *   --class NAME     your conformance class or {@link BackendUnderTest}; repeatable. Backends on
 *                    the path are then only included if named by --backend
 *   --also MODE      another column: a backend in another mode, as
 *                    redis-set,lock.redis-set.mode=plain; repeatable
 *   --html FILE      writes the report as an HTML page
 *   --json FILE      writes the report as JSON
 *   --log FILE       writes log messages to this file. They are dropped otherwise: the rules stop,
 *                    fill and isolate servers, which clients report
 * </pre>
 *
 * <p>Exit status: 0 if every guarantee was kept, 1 if one was broken, 2 if the arguments are wrong.
 */
public final class Report {
  private final PrintStream out;

  private Report(PrintStream out) {
    this.out = out;
  }

  /** Runs the report. */
  public static void main(String[] args) throws IOException {
    ReportArguments arguments;
    List<BackendUnderTest> backends;
    try {
      arguments = ReportArguments.parse(List.of(args));
      log(arguments.log());
      backends = backends(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    } catch (IOException e) {
      System.err.println("--log: can't be written: " + e.getMessage());
      System.exit(2);
      return;
    }
    PrintStream utf8 = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.exit(new Report(utf8).run(arguments, backends) ? 0 : 1);
  }

  /** Keeps log messages away from the console, which shows the report. */
  private static void log(Optional<Path> file) throws IOException {
    LogManager.getLogManager().reset();
    if (file.isPresent()) {
      FileHandler handler = new FileHandler(file.get().toString().replace("%", "%%"));
      handler.setFormatter(new SimpleFormatter());
      Logger.getLogger("").addHandler(handler);
    }
  }

  private boolean run(ReportArguments arguments, List<BackendUnderTest> backends)
      throws IOException {
    arguments.server().ifPresent(kind -> System.setProperty(RedisServers.PROPERTY, kind));
    List<BackendResult> results = new ArrayList<>();
    for (BackendUnderTest backend : backends) {
      results.add(new ReportRun(backend, out).run());
    }
    List<RuleName> rules =
        Specification.rules().stream()
            .map(rule -> new RuleName(rule.id(), rule.theme(), rule.sentence()))
            .toList();
    ReportPage page = new ReportPage(rules, results);
    TextReport.print(page, out);
    if (arguments.html().isPresent()) {
      Files.writeString(arguments.html().get(), HtmlReport.of(page));
      out.println("Written: " + arguments.html().get());
    }
    if (arguments.json().isPresent()) {
      Files.writeString(arguments.json().get(), JsonReport.of(page));
      out.println("Written: " + arguments.json().get());
    }
    return page.isKept();
  }

  private static List<BackendUnderTest> backends(ReportArguments arguments) {
    List<BackendUnderTest> backends = new ArrayList<>();
    boolean all = arguments.backends().isEmpty() && arguments.classes().isEmpty();
    for (LockBackend backend : ServiceLoader.load(LockBackend.class)) {
      boolean wanted = all || arguments.backends().contains(backend.id());
      if (wanted && !backend.isStandIn()) {
        backends.add(RedisBackend.of(backend.id()));
      }
    }
    backends.addAll(arguments.classes());
    backends.addAll(arguments.also());
    if (backends.isEmpty()) {
      throw new IllegalArgumentException(
          "no lock backend is on the path"
              + (arguments.backends().isEmpty() ? "" : " by the id " + arguments.backends())
              + ": add the jar of one, such as dev.leasehold:lock-redis-set");
    }
    return backends;
  }
}
