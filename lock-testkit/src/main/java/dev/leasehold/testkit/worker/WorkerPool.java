package dev.leasehold.testkit.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Worker JVMs that one run of the suite uses: started when a rule first wants one, then used again,
 * by other runs too. Used by one rule at a time; not thread-safe.
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

  /** A worker that is not used again, started with further environment variables. Blocks. */
  public Worker own(String recipe, String address, Map<String, String> environment) {
    Worker worker = Worker.start(environment);
    own.add(worker);
    worker.open(recipe, address);
    return worker;
  }

  /** Takes back what was lent; what can't be used again is ended. */
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
