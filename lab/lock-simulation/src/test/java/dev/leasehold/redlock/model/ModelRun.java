package dev.leasehold.redlock.model;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Searches all of it, two searches side by side, and prints what was found: {@code mvn -q
 * -Psimulation -Dsimulation=model}, or {@code "-Dsimulation=model kinds"} for a part of it. Fails
 * if something is broken that should not be, or is not that should.
 */
public final class ModelRun {
  private ModelRun() {}

  /** Takes what is searched: {@code protocol}, {@code kinds}, or {@code all}. */
  public static void main(String[] args) throws Exception {
    boolean fine =
        switch (args.length == 0 ? "all" : args[0]) {
          case "protocol" -> protocol();
          case "kinds" -> kinds();
          case "all" -> protocol() & kinds();
          default ->
              throw new IllegalArgumentException("model " + args[0] + ": protocol, kinds or all");
        };
    System.out.println(fine ? "The model is as it should be." : "NOT as it should be.");
    System.exit(fine ? 0 : 1);
  }

  private static boolean protocol() throws Exception {
    boolean fine = true;
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      System.out.println("The protocol: no two hold the lock, and tokens grow");
      fine &= print(threads, Scenario.all(), true);
      System.out.println("Outside the fault model: a later round's token is larger all the same");
      fine &= print(threads, Scenario.outside(), true);
      System.out.println("... but two hold the lock");
      List<Scenario> all =
          Scenario.outside().stream().map(one -> new Scenario(one.name(), one.ofAll())).toList();
      fine &= print(threads, all, false);
      System.out.println("With one fault: broken, and how");
      fine &= print(threads, Scenario.mutants(), false);
    } finally {
      threads.shutdown();
    }
    return fine;
  }

  private static boolean kinds() {
    System.out.println("Kinds of locks: EX-1, FA-2, MU-1 to MU-3, RW-1, RW-6, SE-7, SE-8");
    boolean fine = print(KindModels.all());
    System.out.println("With one fault: broken");
    return fine & print(KindModels.faults());
  }

  private static boolean print(ExecutorService threads, List<Scenario> scenarios, boolean safe)
      throws Exception {
    List<Future<Search.Found>> all = new ArrayList<>();
    for (Scenario scenario : scenarios) {
      all.add(threads.submit(() -> new Search(scenario.rules()).run()));
    }
    boolean fine = true;
    for (int i = 0; i < scenarios.size(); i++) {
      Search.Found found = all.get(i).get();
      fine &= found.isSafe() == safe && (safe || found.broken().equals(scenarios.get(i).breaks()));
      System.out.printf("  %-40s %s%n", scenarios.get(i).name(), found);
      found.schedule().forEach(step -> System.out.println("      " + step));
    }
    return fine;
  }

  /** One after another: they take memory. */
  private static boolean print(List<KindModels> models) {
    boolean fine = true;
    for (KindModels model : models) {
      SmallModel.Found found = model.run();
      fine &= found.broken().equals(model.breaks());
      System.out.printf(
          "  %s: %,d states: %s%n",
          model,
          found.states(),
          found.broken().isEmpty()
              ? "all of them, and nothing broken"
              : found.broken() + " in " + found.steps() + " steps");
    }
    return fine;
  }
}
