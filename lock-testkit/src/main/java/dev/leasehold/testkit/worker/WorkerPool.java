package dev.leasehold.testkit.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The worker JVMs of one run of the suite: started on demand and reused, also by later runs. Used
 * by one rule at a time; not thread-safe.
 */
public final class WorkerPool implements AutoCloseable {
  private static final IdleWorkers IDLE = new IdleWorkers();

  private final List<Worker> lent = new ArrayList<>();
  private final List<Worker> own = new ArrayList<>();

  /** No workers yet. */
  public WorkerPool() {}

  /** A worker with a manager of that recipe at that address. Blocks. */
  public Worker lease(String recipe, String address) {
    Worker worker = IDLE.take().orElseGet(() -> Worker.start(Map.of()));
    lent.add(worker);
    worker.open(recipe, address);
    return worker;
  }

  /** A worker that is not reused, started with additional environment variables. Blocks. */
  public Worker own(String recipe, String address, Map<String, String> environment) {
    Worker worker = Worker.start(environment);
    own.add(worker);
    worker.open(recipe, address);
    return worker;
  }

  /** Takes back all workers; ends those that are not reusable. */
  public void giveBack() {
    for (Worker worker : lent) {
      if (worker.reset()) {
        IDLE.keep(worker);
      } else {
        worker.close();
      }
    }
    lent.clear();
    own.forEach(Worker::close);
    own.clear();
  }

  @Override
  public void close() {
    giveBack();
  }
}
