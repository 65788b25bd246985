package dev.leasehold.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Many leases of 30 s, held and renewed by one process: memory and processor time. */
final class HeldLeases {
  private static final int COLLECTIONS = 3;
  private static final int AT_ONCE = 1000;

  /** Windows of processor time: the first one after the grants, and one of a process at rest. */
  private static final int WINDOW = 20;

  private HeldLeases() {}

  private record Cost(double bytes, double first, double steady) {}

  static void run(String uri, Effort effort, Figures figures) throws Exception {
    int leases = effort.pairs() * 5;
    Duration window = effort.slice().multipliedBy(WINDOW);
    Cost ours = ours(uri, leases, window);
    Cost theirs = theirs(uri, leases, window);
    String condition = leases + " leases held and renewed";
    print("redis-set", ours, condition, figures);
    print("RLock", theirs, condition, figures);
    figures.ratio("held redis-set bytes", ours.bytes, "<=700", condition + ", heap for each");
    figures.ratio("held redis-set:RLock", ours.bytes / theirs.bytes, "<=1.0", condition + ", heap");
    figures.ratio("held redis-set cores", ours.steady, "<=0.02", condition + ", after a while");
    int[] sizes = {leases / 100, leases / 10, leases, leases * 10};
    for (int other : effort == Effort.BRIEF ? new int[] {leases} : sizes) {
      boolean same = other == leases;
      Cost our = same ? ours : ours(uri, other, Duration.ZERO);
      Cost their = same ? theirs : theirs(uri, other, Duration.ZERO);
      figures.point(Picture.LEASES, "redis-set", other, our.bytes);
      figures.point(Picture.LEASES, "RLock", other, their.bytes);
    }
  }

  private static void print(String name, Cost cost, String condition, Figures figures) {
    figures.note(
        "%s, %s: %.0f bytes each, %.4f cores at first, %.4f later",
        condition, name, cost.bytes, cost.first, cost.steady);
  }

  private static Cost ours(String uri, int leases, Duration window) throws Exception {
    Map<String, String> settings = Map.of("lock.backend", "redis-set", "lock.redis.uri", uri);
    try (LockManager locks = LockManager.open(LockSettings.of(settings))) {
      locks.lock("warm").acquire().release();
      List<Lease> held = new ArrayList<>();
      Cost cost =
          cost(
              leases,
              window,
              () -> some(leases, i -> locks.lock("held-" + i).acquireAsync(), held));
      some(leases, i -> held.get(i).releaseAsync(), new ArrayList<>());
      return cost;
    }
  }

  private static Cost theirs(String uri, int leases, Duration window) throws Exception {
    Config config = new Config();
    config.useSingleServer().setAddress(uri);
    RedissonClient client = Redisson.create(config);
    try {
      client.getLock("rlock-warm").lock();
      return cost(
          leases,
          window,
          () ->
              some(
                  leases,
                  i -> client.getLock("rlock-held-" + leases + "-" + i).lockAsync(),
                  new ArrayList<>()));
    } finally {
      client.shutdown();
    }
  }

  /** The same a thousand at a time: more than that would wait in the client for longer than 2 s. */
  private static <T> boolean some(
      int count, java.util.function.IntFunction<? extends CompletionStage<T>> start, List<T> into) {
    for (int from = 0; from < count; from += AT_ONCE) {
      int first = from;
      all(Math.min(AT_ONCE, count - from), i -> start.apply(first + i), into);
    }
    return true;
  }

  /** Starts that many, and waits for all. */
  static <T> boolean all(
      int count, java.util.function.IntFunction<? extends CompletionStage<T>> start, List<T> into) {
    List<CompletableFuture<T>> begun =
        IntStream.range(0, count).mapToObj(i -> start.apply(i).toCompletableFuture()).toList();
    begun.forEach(one -> into.add(one.join()));
    return true;
  }

  private static Cost cost(int leases, Duration window, Callable<Boolean> acquire)
      throws Exception {
    long before = used();
    acquire.call();
    // Of few leases it may be less than what earlier measurements leave to the collector.
    double bytes = Math.max(1, (used() - before) / (double) leases);
    double first = cores(window);
    Thread.sleep(window.toMillis());
    return new Cost(bytes, first, cores(window));
  }

  private static long used() throws InterruptedException {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Thread.sleep(50);
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** How many cores this process uses in that time. */
  private static double cores(Duration window) throws InterruptedException {
    if (window.isZero()) {
      return 0;
    }
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long begun = System.nanoTime();
    long before = system.getProcessCpuTime();
    Thread.sleep(window.toMillis());
    return (system.getProcessCpuTime() - before) / (double) (System.nanoTime() - begun);
  }
}
