package dev.leasehold.redlock;

import dev.leasehold.redlock.QuorumRun.Mode;
import dev.leasehold.simulation.Quiet;
import dev.leasehold.simulation.StoryWorld;
import dev.leasehold.testkit.sim.SimFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;

/**
 * Runs many random worlds of the production engine and quorum on simulated nodes ({@link QuorumRun}
 * says what is real), and of their mutants; likewise of semaphores, read/write locks and several
 * locks at once, on one server and on a quorum. Fails if a world shows a violation, if no world
 * reveals a mutant, or if a mutant breaks fencing although it must keep it.
 *
 * <pre>
 * mvn -q -Psimulation [-Dsimulation.seeds=100000] [-Dsimulation.first=1]
 * </pre>
 *
 * To replay one world exactly, with its full trace:
 *
 * <pre>
 * mvn -q -Psimulation -Dsimulation.seeds=1 -Dsimulation.first=4711
 *     [-Dsimulation.mutant=CLOCK_JUMP] [-Dsimulation.mode=PLAIN]
 * mvn -q -Psimulation -Dsimulation.seeds=1 -Dsimulation.first=4711
 *     -Dsimulation.mode=SEMAPHORE_ON_A_QUORUM (with more seeds: only worlds of this mode)
 * </pre>
 */
public final class SimulationRun {
  private static final int THREADS = 2;

  /**
   * The fraction of worlds run in addition without fencing, and for each fault of the environment.
   */
  private static final int PART = 20;

  /** The minimum number of worlds for each mutant. */
  private static final long LEAST_WORLDS = 2000;

  /** The rarest mutant shows in one of one to two thousand worlds. */
  private static final long MORE_WORLDS = 20_000;

  private SimulationRun() {}

  /** Arguments: the number of seeds, the first seed, the mutant and the mode. */
  public static void main(String[] args) throws Exception {
    long seeds = Long.parseLong(args[0]);
    long first = Long.parseLong(args[1]);
    Optional<KindWorlds> kind =
        KindWorlds.all().stream().filter(worlds -> worlds.name().equals(args[3])).findFirst();
    Mutant mutant = Mutant.valueOf(args[2]);
    boolean fine;
    if (seeds > 1) {
      fine =
          run(kind, mutant, kind.isPresent() ? Mode.FENCED : Mode.valueOf(args[3]), first, seeds);
    } else if (kind.isPresent()) {
      fine = replay(kind.get().world(first));
    } else {
      fine = replay(first, mutant, Mode.valueOf(args[3]));
    }
    System.out.println(fine ? "The simulation is as it should be." : "NOT as it should be.");
    System.exit(fine ? 0 : 1);
  }

  private static boolean replay(StoryWorld world) {
    world.traceAll();
    try {
      String granted = Quiet.during(world::run);
      System.out.println(world);
      System.out.println(granted);
      return true;
    } catch (SimFailure failure) {
      System.out.println(failure.getMessage());
      return false;
    }
  }

  private static boolean replay(long seed, Mutant mutant, Mode mode) {
    QuorumRun run = new QuorumRun(seed, mutant, mode);
    run.traceAll();
    try {
      QuorumRun.Shown shown = Quiet.during(run::run);
      System.out.println(run);
      System.out.println(shown.verdict());
      shown.fencing().forEach(System.out::println);
      return mutant == Mutant.NONE || shown.breaks(mutant.caughtAt());
    } catch (SimFailure failure) {
      System.out.println(failure.getMessage());
      return false;
    }
  }

  /** Runs one kind, one mutant or one mode only, or everything. */
  private static boolean run(
      Optional<KindWorlds> one, Mutant mutant, Mode mode, long first, long seeds) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      if (one.isPresent()) {
        return print(threads, one.get(), first, seeds);
      }
      return mutant == Mutant.NONE && mode == Mode.FENCED
          ? all(threads, first, seeds)
          : print(threads, mutant, mode, first, seeds);
    } finally {
      threads.shutdownNow();
    }
  }

  private static boolean all(ExecutorService threads, long first, long seeds) throws Exception {
    boolean fine = print(threads, Mutant.NONE, Mode.FENCED, first, seeds);
    fine &= print(threads, Mutant.NONE, Mode.LINGERING, first, seeds);
    fine &= print(threads, Mutant.NONE, Mode.NATIVE, first, seeds);
    fine &= print(threads, Mutant.NONE, Mode.IN_ORDER, first, seeds);
    long some = Math.max(LEAST_WORLDS, seeds / PART);
    fine &= print(threads, Mutant.NONE, Mode.PLAIN, first, some);
    fine &= print(threads, Mutant.NONE, Mode.ADAPTER, first, some);
    fine &= print(threads, Mutant.NONE, Mode.OTHER_LISTS, first, some);
    for (KindWorlds kind : KindWorlds.all()) {
      fine &= print(threads, kind, first, kind.isRight() && kind.isOnQuorum() ? seeds : some);
    }
    for (Mutant mutant : Mutant.values()) {
      if (mutant != Mutant.NONE) {
        long worlds = mutant.isOutside() ? some : LEAST_WORLDS;
        Mode mode = mutant == Mutant.LIST_AT_ONCE ? Mode.OTHER_LISTS : Mode.FENCED;
        fine &= print(threads, mutant, mode, first, worlds);
      }
      if (mutant.breaks(Mutant.Promise.EXCLUSION) && !mutant.breaks(Mutant.Promise.FENCING)) {
        fine &= print(threads, mutant, Mode.PLAIN, first, LEAST_WORLDS);
      }
    }
    return fine;
  }

  private static boolean print(
      ExecutorService threads, Mutant mutant, Mode mode, long first, long seeds) throws Exception {
    long begun = System.nanoTime();
    Worlds all = run(threads, mutant, mode, first, seeds);
    if (mutant != Mutant.NONE && all.caught() == 0) {
      all.add(run(threads, mutant, mode, first + seeds, MORE_WORLDS));
    }
    System.out.println(all + " (" + (System.nanoTime() - begun) / 1_000_000_000 + " s)");
    all.failures().stream().limit(3).forEach(System.out::println);
    return all.areAsTheyShouldBe();
  }

  private static boolean print(ExecutorService threads, KindWorlds kind, long first, long seeds)
      throws Exception {
    long begun = System.nanoTime();
    KindWorlds all = kind.none();
    // A mutant runs in chunks until it is caught.
    long part = kind.isRight() ? seeds : 100;
    long ran = 0;
    while (ran < (kind.isRight() ? seeds : MORE_WORLDS) && all.caught() == 0) {
      inParallel(threads, kind::none, (worlds, seed) -> worlds.run(seed), first + ran, part)
          .forEach(all::add);
      ran += part;
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    System.out.printf("%s (%.0f s, %.0f worlds/s)%n", all, seconds, ran / seconds);
    all.failures().stream().limit(3).forEach(System.out::println);
    return all.areAsTheyShouldBe();
  }

  private static Worlds run(
      ExecutorService threads, Mutant mutant, Mode mode, long first, long seeds) throws Exception {
    Worlds all = new Worlds(mutant, mode);
    inParallel(threads, () -> new Worlds(mutant, mode), (worlds, s) -> worlds.run(s), first, seeds)
        .forEach(all::add);
    return all;
  }

  /** The results of each thread for the seeds that it took. */
  private static <W> List<W> inParallel(
      ExecutorService threads, Supplier<W> none, ObjLongConsumer<W> each, long first, long seeds)
      throws Exception {
    AtomicLong next = new AtomicLong(first);
    List<Callable<W>> work = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      work.add(
          () -> {
            W worlds = none.get();
            for (long seed = next.getAndIncrement();
                seed < first + seeds;
                seed = next.getAndIncrement()) {
              each.accept(worlds, seed);
            }
            return worlds;
          });
    }
    List<W> all = new ArrayList<>();
    for (Future<W> part : threads.invokeAll(work)) {
      all.add(part.get());
    }
    return all;
  }
}
