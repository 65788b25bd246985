package dev.leasehold.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/**
 * Measures several subjects in alternation, so that drift affects all of them alike. The first
 * rounds of each are warm-up and not counted; the result is the median of the others.
 */
final class Alternation {
  private final Effort effort;

  Alternation(Effort effort) {
    this.effort = effort;
  }

  /** The median time per pair in nanoseconds, on one thread, for each subject in order. */
  List<Double> latencies(List<Subject> subjects) throws Exception {
    List<Callable<Double>> turns = new ArrayList<>();
    for (Subject subject : subjects) {
      Subject.Pair pair = subject.on("pair");
      int pairs = subject.pairs(effort);
      turns.add(() -> median(pair, pairs));
    }
    return medians(effort.warmUps(), turns);
  }

  /** All times per pair in nanoseconds that are counted, sorted, for each subject in order. */
  List<List<Long>> times(List<Subject> subjects) throws Exception {
    List<Subject.Pair> pairs = subjects.stream().map(s -> s.on("pair")).toList();
    List<List<Long>> all = new ArrayList<>();
    pairs.forEach(pair -> all.add(new ArrayList<>()));
    for (int round = 0; round < effort.warmUps() + effort.rounds(); round++) {
      for (int i = 0; i < pairs.size(); i++) {
        long[] took = took(pairs.get(i), effort.pairs());
        if (round >= effort.warmUps()) {
          LongStream.of(took).forEach(all.get(i)::add);
        }
      }
    }
    all.forEach(Collections::sort);
    return all;
  }

  /**
   * Pairs per second over all threads, for each subject in order.
   *
   * @param own whether each thread has its own lock, or all share one
   */
  List<Double> rates(List<Subject> subjects, int threads, boolean own) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Double>> turns = new ArrayList<>();
      for (Subject subject : subjects) {
        List<Subject.Pair> pairs = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          pairs.add(subject.on(own ? "own-" + i : "one"));
        }
        turns.add(() -> rate(pool, pairs));
      }
      return medians(1, turns); // a second on many threads is warm-up enough
    } finally {
      pool.shutdownNow();
    }
  }

  /** The median of each turn, which are taken in alternation; the first rounds are not counted. */
  List<Double> medians(int warmUps, List<Callable<Double>> turns) throws Exception {
    List<List<Double>> found = new ArrayList<>();
    turns.forEach(turn -> found.add(new ArrayList<>()));
    for (int round = 0; round < warmUps + effort.rounds(); round++) {
      for (int i = 0; i < turns.size(); i++) {
        double value = turns.get(i).call();
        if (round >= warmUps) {
          found.get(i).add(value);
        }
      }
    }
    return found.stream().map(Alternation::median).toList();
  }

  private static double median(Subject.Pair pair, int pairs) throws Exception {
    long[] took = took(pair, pairs);
    Arrays.sort(took);
    return took[took.length / 2];
  }

  private static long[] took(Subject.Pair pair, int pairs) throws Exception {
    long[] took = new long[pairs];
    for (int i = 0; i < took.length; i++) {
      long begun = System.nanoTime();
      pair.run();
      took[i] = System.nanoTime() - begun;
    }
    return took;
  }

  private double rate(ExecutorService pool, List<Subject.Pair> pairs) throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    long length = effort.slice().toNanos();
    List<Future<Long>> counts = new ArrayList<>();
    for (Subject.Pair pair : pairs) {
      counts.add(
          pool.submit(
              () -> {
                go.await();
                long end = System.nanoTime() + length;
                long count = 0;
                for (; System.nanoTime() - end < 0; count++) {
                  pair.run();
                }
                return count;
              }));
    }
    long begun = System.nanoTime();
    go.countDown();
    long sum = 0;
    for (Future<Long> count : counts) {
      sum += count.get();
    }
    return sum * 1e9 / (System.nanoTime() - begun);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }
}
