package dev.leasehold.testkit.worker;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Recipe;
import dev.leasehold.testkit.history.History;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The resources of the rule that uses a worker: a manager, leases, and lanes. */
final class WorkerSession {
  private static final Duration CLOSE_GRACE = Duration.ofMillis(50);
  private static final int OPTIONS = 8;

  private final Map<String, ExecutorService> lanes = new ConcurrentHashMap<>();
  private final Map<String, Lease> leases = new ConcurrentHashMap<>();
  private final AtomicInteger leaseIds = new AtomicInteger();
  private volatile @Nullable LockManager manager;

  /** The lane's thread, which runs its commands one after another. */
  ExecutorService lane(String name) {
    return lanes.computeIfAbsent(
        name, n -> Executors.newSingleThreadExecutor(task -> daemon(task, n)));
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, "lane-" + name);
    thread.setDaemon(true);
    return thread;
  }

  /** Creates a lane whose thread has this id: ids are assigned in order, so it skips some. */
  List<String> laneWithThreadId(String name, long id) {
    ThreadFactory factory =
        task -> {
          Thread thread = daemon(task, name);
          while (thread.getId() < id) {
            thread = daemon(task, name);
          }
          return thread;
        };
    ExecutorService lane = Executors.newSingleThreadExecutor(factory);
    lanes.put(name, lane);
    return List.of();
  }

  List<String> run(List<String> command) throws Exception {
    List<String> args = command.subList(1, command.size());
    return switch (command.get(0)) {
      case "open" -> {
        manager =
            Recipe.make(args.get(0))
                .manager(args.get(1), b -> b.closeGrace(CLOSE_GRACE).label("worker"));
        yield List.of();
      }
      case "acquire" -> kept(Optional.of(lock(args).acquire()));
      case "try" -> {
        Duration wait = LineFormat.duration(args.get(1 + OPTIONS));
        yield kept(wait.isZero() ? lock(args).tryAcquire() : lock(args).tryAcquire(wait));
      }
      case "contend" -> contend(args);
      case "thread-id" -> List.of(Long.toString(Thread.currentThread().getId()));
      case "clock" -> List.of(Long.toString(System.currentTimeMillis()));
      default -> ofLease(command.get(0), lease(args.get(0)), args);
    };
  }

  private LockManager manager() {
    LockManager opened = manager;
    if (opened == null) {
      throw new IllegalStateException("no manager is open");
    }
    return opened;
  }

  private DistributedLock lock(List<String> args) {
    return manager().lock(args.get(0), LineFormat.options(args.subList(1, 1 + OPTIONS)));
  }

  private List<String> kept(Optional<Lease> found) {
    if (found.isEmpty()) {
      return List.of("");
    }
    String id = Integer.toString(leaseIds.incrementAndGet());
    Lease lease = found.get();
    leases.put(id, lease);
    boolean fencing = manager().guarantees().contains(Guarantee.FENCING);
    return List.of(id, fencing ? Long.toString(lease.fencingToken()) : "");
  }

  private List<String> contend(List<String> args) throws Exception {
    LockOptions options = LineFormat.options(args.subList(1, 1 + OPTIONS));
    History history =
        Contenders.run(
            List.of(manager()),
            args.get(0),
            options,
            Integer.parseInt(args.get(1 + OPTIONS)),
            LineFormat.duration(args.get(2 + OPTIONS)),
            Optional.of(args.subList(3 + OPTIONS, args.size()))
                .filter(words -> !words.isEmpty())
                .map(Meeting::of));
    StringBuilder text = new StringBuilder();
    history.write(text);
    return List.of(text.toString());
  }

  private Lease lease(String id) {
    Lease lease = leases.get(id);
    if (lease == null) {
      throw new NoSuchElementException("no lease " + id);
    }
    return lease;
  }

  private List<String> ofLease(String command, Lease lease, List<String> args) {
    return switch (command) {
      case "valid" -> List.of(Boolean.toString(lease.isValid()));
      case "remaining" -> List.of(LineFormat.nanos(lease.remaining()));
      case "extend" -> List.of(Boolean.toString(lease.extend(LineFormat.duration(args.get(1)))));
      case "release" -> {
        lease.release();
        yield List.of();
      }
      default -> throw new IllegalArgumentException("no command " + command);
    };
  }

  List<String> close() {
    LockManager opened = manager;
    if (opened != null) {
      opened.close();
    }
    lanes.values().forEach(ExecutorService::shutdownNow);
    return List.of();
  }
}
