package dev.leasehold.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures by JMH what one thread does in one process. Each benchmark runs in JVMs of its own, with
 * this one's class path and options; a brief one in this JVM, since to start others takes longer
 * than all it shows.
 */
final class Jmh {
  /** What JMH passes the server's URI as; a benchmark that needs it has a field of this name. */
  private static final String URI = "uri";

  private static final int JVMS = 3;
  private static final int WARM_UPS = 3;
  private static final int ITERATIONS = 5;

  static {
    // Otherwise another JMH on the machine, which locks a file of the temporary folder, makes a run
    // fail after minutes. Read when the runner's class is initialized.
    System.setProperty("jmh.ignoreLock", "true");
  }

  private Jmh() {}

  /** The mean time of a call in nanoseconds, by the name of the benchmark's method. */
  static Map<String, Double> means(Class<?> benchmarks, String uri, Effort effort, Figures figures)
      throws RunnerException {
    return means(benchmarks, uri, effort, effort == Effort.BRIEF ? 0 : JVMS, figures);
  }

  /**
   * The same.
   *
   * @param jvms how many JVMs each benchmark runs in; 0 for this one
   */
  static Map<String, Double> means(
      Class<?> benchmarks, String uri, Effort effort, int jvms, Figures figures)
      throws RunnerException {
    boolean brief = effort == Effort.BRIEF;
    TimeValue time = TimeValue.nanoseconds(effort.slice().toNanos());
    OptionsBuilder options = new OptionsBuilder();
    options
        .include("^" + Pattern.quote(benchmarks.getName() + "."))
        .param(URI, uri)
        .mode(Mode.AverageTime)
        .timeUnit(TimeUnit.NANOSECONDS)
        .forks(jvms)
        .warmupIterations(brief ? 1 : WARM_UPS)
        .warmupTime(time)
        .measurementIterations(brief ? 2 : ITERATIONS)
        .measurementTime(time)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
    Map<String, Double> means = new LinkedHashMap<>();
    for (RunResult run : new Runner(options.build()).run()) {
      Result<?> result = run.getPrimaryResult();
      means.put(result.getLabel(), result.getScore());
      figures.note(
          "%s.%s: %.1f ns, give or take %.1f",
          benchmarks.getSimpleName(), result.getLabel(), result.getScore(), result.getScoreError());
    }
    return means;
  }
}
