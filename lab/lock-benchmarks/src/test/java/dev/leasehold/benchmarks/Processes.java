package dev.leasehold.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Several processes that contend for one lock, started together by their parent. */
final class Processes {
  /** All rounds are one run: starting processes is expensive. */
  private static final int SLICES = 10;

  private Processes() {}

  /**
   * The result.
   *
   * @param sections of each process
   * @param took from the common start to the end
   * @param longestWait of any thread for the lock
   */
  record Result(String subject, List<Long> sections, Duration took, Duration longestWait) {
    double perSecond() {
      return sections.stream().mapToLong(n -> n).sum() * 1e9 / took.toNanos();
    }

    /** The share of the least served process, relative to an even share. */
    double leastShare() {
      double all = sections.stream().mapToLong(n -> n).sum();
      return all == 0
          ? 0
          : sections.stream().min(Long::compare).orElseThrow() * sections.size() / all;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%.0f sections a second, least share %.2f, longest wait %d ms",
          perSecond(),
          leastShare(),
          longestWait.toMillis());
    }
  }

  static Result run(String subject, String uri, int processes, Effort effort)
      throws IOException, InterruptedException {
    Duration length = effort.slice().multipliedBy(SLICES);
    List<Process> running = new ArrayList<>();
    List<BufferedReader> said = new ArrayList<>();
    try {
      for (int i = 0; i < processes; i++) {
        Process process = start(subject, uri, length);
        running.add(process);
        said.add(process.inputReader());
      }
      for (BufferedReader lines : said) {
        expect(Contender.READY, lines.readLine());
      }
      for (Process process : running) {
        OutputStream go = process.getOutputStream();
        go.write('\n');
        go.flush();
      }
      List<Long> sections = new ArrayList<>();
      long longest = 0;
      for (BufferedReader lines : said) {
        String[] words = String.valueOf(lines.readLine()).split(" ");
        sections.add(Long.parseLong(words[0]));
        longest = Math.max(longest, Long.parseLong(words[1]));
      }
      return new Result(subject, sections, length, Duration.ofNanos(longest));
    } finally {
      running.forEach(Process::destroyForcibly);
      for (Process process : running) {
        process.waitFor();
      }
    }
  }

  private static Process start(String subject, String uri, Duration length) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Contender.class.getName(),
            subject,
            uri,
            length.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static void expect(String word, String line) {
    if (!word.equals(line)) {
      throw new IllegalStateException("a process said " + line + " instead of " + word);
    }
  }
}
