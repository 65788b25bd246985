package dev.leasehold.redlock;

import dev.leasehold.testkit.history.Verdict;
import dev.leasehold.testkit.history.Violation;
import dev.leasehold.testkit.sim.SimFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Many random worlds of the real engine and the real quorum, and how soon each of its mutants is
 * caught. Fails if a world shows a fault, or none shows a mutant's.
 *
 * <pre>
 * mvn -q -Psimulation [-Dsimulation.seeds=100000] [-Dsimulation.first=1]
 * </pre>
 *
 * With {@code seeds=1} it replays one world exactly, and prints its schedule if that fails.
 */
public final class SimulationRun {
  private static final int THREADS = 2;
  private static final int MUTANT_WORLDS = 10_000;

  private SimulationRun() {}

  /** Arguments: how many seeds, and the first of them. */
  public static void main(String[] args) throws Exception {
    long seeds = Long.parseLong(args[0]);
    long first = Long.parseLong(args[1]);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    boolean fine;
    try {
      fine = sound(threads, first, seeds);
      if (seeds > 1) {
        fine &= mutants(threads);
      }
    } finally {
      threads.shutdownNow();
    }
    System.out.println(fine ? "The simulation is as it should be." : "NOT as it should be.");
    System.exit(fine ? 0 : 1);
  }

  private static boolean sound(ExecutorService threads, long first, long seeds) throws Exception {
    long begun = System.nanoTime();
    AtomicLong next = new AtomicLong(first);
    AtomicLong holds = new AtomicLong();
    List<Callable<List<String>>> work = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      work.add(
          () -> {
            List<String> failures = new ArrayList<>();
            for (long seed = next.getAndIncrement();
                seed < first + seeds;
                seed = next.getAndIncrement()) {
              try {
                holds.addAndGet(new QuorumRun(seed, Mutant.NONE).run().holds());
              } catch (AssertionError failure) {
                failures.add("seed " + seed + ": " + failure.getMessage());
              }
            }
            return failures;
          });
    }
    List<String> failures = new ArrayList<>();
    for (Future<List<String>> part : threads.invokeAll(work)) {
      failures.addAll(part.get());
    }
    long seconds = Math.max(1, (System.nanoTime() - begun) / 1_000_000_000);
    System.out.printf(
        "%d worlds from seed %d on, %d holds, %d s (%d worlds a second): %d with a violation%n",
        seeds, first, holds.get(), seconds, seeds / seconds, failures.size());
    failures.stream().limit(3).forEach(System.out::println);
    return failures.isEmpty();
  }

  private static boolean mutants(ExecutorService threads) throws Exception {
    List<Mutant> all = new ArrayList<>(List.of(Mutant.values()));
    all.remove(Mutant.NONE);
    List<Future<Long>> caught = new ArrayList<>();
    for (Mutant mutant : all) {
      caught.add(threads.submit(() -> firstCatching(mutant)));
    }
    boolean fine = true;
    for (int i = 0; i < all.size(); i++) {
      long seed = caught.get(i).get();
      fine &= seed > 0;
      System.out.printf(
          "  %-22s %s%n",
          all.get(i), seed > 0 ? "caught by seed " + seed : "NOT CAUGHT in " + MUTANT_WORLDS);
    }
    return fine;
  }

  /** The first world in which two hold the lock; 0 if there is none. */
  private static long firstCatching(Mutant mutant) {
    for (long seed = 1; seed <= MUTANT_WORLDS; seed++) {
      try {
        Verdict verdict = new QuorumRun(seed, mutant).run();
        if (!verdict.of(Violation.Kind.OVERLAP).isEmpty()) {
          return seed;
        }
      } catch (SimFailure failure) {
        if (String.valueOf(failure.getMessage()).contains("OVERLAP")) {
          return seed;
        }
      }
    }
    return 0;
  }
}
