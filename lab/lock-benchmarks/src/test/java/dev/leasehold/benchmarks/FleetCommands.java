package dev.leasehold.benchmarks;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.config.Config;

/**
 * The scripts that a server runs for many clients with one thread each: while all wait for one
 * lock, for each hand-over of it, and for leases that are held. The simulation of a fleet (in
 * lock-simulation) prints the same points for more clients than a machine can run.
 */
final class FleetCommands {
  private static final Duration SECTION = Duration.ofMillis(10);
  private static final Duration FOR_LONG = Duration.ofHours(1);

  private final String uri;
  private final Effort effort;
  private final Figures figures;
  private final StatefulRedisConnection<String, String> raw;

  private FleetCommands(
      String uri, Effort effort, Figures figures, StatefulRedisConnection<String, String> raw) {
    this.uri = uri;
    this.effort = effort;
    this.figures = figures;
    this.raw = raw;
  }

  /** A process's client of the locks. */
  private interface Client extends AutoCloseable {
    /** Takes the lock, keeps it for this long or until interrupted, and releases it. */
    void hold(String key, Duration span, Consumer<Client> held) throws InterruptedException;

    /** Takes a lock and keeps it. */
    CompletionStage<?> keep(String key);

    @Override
    void close();
  }

  /** Counts how often a lock went from one client to another. */
  private static final class Passed {
    final AtomicLong count = new AtomicLong();
    private final AtomicReference<Client> holder = new AtomicReference<>();

    void to(Client next) {
      if (holder.getAndSet(next) != next) {
        count.incrementAndGet();
      }
    }
  }

  /** What many clients of one lock cost. */
  static void contended(String uri, Effort effort, Figures figures) throws Exception {
    RedisClient client = RedisClient.create(uri);
    try {
      FleetCommands fleet = new FleetCommands(uri, effort, figures, client.connect());
      int[] numbers = effort == Effort.BRIEF ? new int[] {2} : new int[] {2, 4, 8, 16, 32, 64};
      for (int clients : numbers) {
        double ours = fleet.contended("redis-set", clients, FleetCommands::leasehold);
        double theirs = fleet.contended("RLock", clients, FleetCommands::redisson);
        figures.ratio(
            "fleet redis-set:RLock",
            ours / theirs,
            "<=1.0",
            clients + " processes, one lock: scripts of a hand-over");
      }
    } finally {
      client.shutdown();
    }
  }

  /** What many leases of one client cost. */
  static void renewals(String uri, Effort effort, Figures figures) throws Exception {
    RedisClient client = RedisClient.create(uri);
    try {
      FleetCommands fleet = new FleetCommands(uri, effort, figures, client.connect());
      for (int leases : effort == Effort.BRIEF ? new int[] {10} : new int[] {100, 1_000, 10_000}) {
        double ours = fleet.renewed("redis-set", leases, FleetCommands::leasehold);
        double theirs = fleet.renewed("RLock", leases, FleetCommands::redisson);
        figures.note("%d leases: %.1f and %.1f scripts a second", leases, ours, theirs);
      }
    } finally {
      client.shutdown();
    }
  }

  /** Prints what waiting costs, and returns the scripts of a hand-over. */
  private double contended(String name, int count, Function<String, Client> open) throws Exception {
    List<Client> clients = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        clients.add(open.apply(uri));
      }
      double waiting = measured(clients, FOR_LONG).perSecond();
      figures.point(Picture.WAITING, name, count, waiting);
      Cost handing = measured(clients, SECTION);
      double each = handing.scripts / (double) Math.max(1, handing.passed);
      figures.point(Picture.HAND_OVER, name, count, each);
      figures.note("%d processes, %s: %d hand-overs in %s", count, name, handing.passed, spans(10));
      return each;
    } finally {
      clients.forEach(Client::close);
    }
  }

  private record Cost(long scripts, long passed, Duration span) {
    double perSecond() {
      return scripts * 1e9 / span.toNanos();
    }
  }

  /** All clients want the lock, and keep it for this long. */
  private Cost measured(List<Client> clients, Duration section) throws Exception {
    Passed passed = new Passed();
    String key = "fleet-" + section.toMillis() + "-" + clients.size();
    List<Thread> threads = new ArrayList<>();
    for (Client client : clients) {
      threads.add(
          new Thread(
              () -> {
                try {
                  while (!Thread.currentThread().isInterrupted()) {
                    client.hold(key, section, passed::to);
                  }
                } catch (InterruptedException | RedisException e) {
                  // this measurement is over; Redisson may say so in its own way
                }
              }));
    }
    threads.forEach(Thread::start);
    Thread.sleep(spans(3).toMillis());
    long scripts = ScriptCount.of(raw);
    long before = passed.count.get();
    Thread.sleep(spans(10).toMillis());
    Cost cost = new Cost(ScriptCount.of(raw) - scripts, passed.count.get() - before, spans(10));
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      thread.join();
    }
    return cost;
  }

  private double renewed(String name, int leases, Function<String, Client> open) throws Exception {
    List<Object> kept = new ArrayList<>(); // an unreferenced lease is not renewed
    try (Client client = open.apply(uri)) {
      for (int i = 0; i < leases; i++) {
        kept.add(client.keep("kept-" + leases + "-" + i).toCompletableFuture().join());
      }
      Thread.sleep(spans(10).toMillis());
      long before = ScriptCount.of(raw);
      Thread.sleep(spans(20).toMillis());
      double perSecond = (ScriptCount.of(raw) - before) * 1e9 / spans(20).toNanos();
      figures.point(Picture.RENEWALS, name, leases, perSecond);
      return perSecond;
    } finally {
      kept.clear();
    }
  }

  private Duration spans(int times) {
    return effort.slice().multipliedBy(times);
  }

  private static Client leasehold(String uri) {
    Map<String, String> settings = Map.of("lock.backend", "redis-set", "lock.redis.uri", uri);
    LockManager locks = LockManager.open(LockSettings.of(settings));
    return new Client() {
      @Override
      public void hold(String key, Duration span, Consumer<Client> held)
          throws InterruptedException {
        Lease lease = locks.lock(key).acquire();
        try {
          held.accept(this);
          Thread.sleep(span.toMillis());
        } finally {
          lease.release();
        }
      }

      @Override
      public CompletionStage<?> keep(String key) {
        return locks.lock(key).acquireAsync();
      }

      @Override
      public void close() {
        locks.close();
      }
    };
  }

  private static Client redisson(String uri) {
    Config config = new Config();
    config.setThreads(2).setNettyThreads(1);
    config
        .useSingleServer()
        .setAddress(uri)
        .setConnectionMinimumIdleSize(1)
        .setConnectionPoolSize(2)
        .setSubscriptionConnectionPoolSize(1);
    RedissonClient client = Redisson.create(config);
    return new Client() {
      @Override
      public void hold(String key, Duration span, Consumer<Client> held)
          throws InterruptedException {
        RLock lock = client.getLock("rlock-" + key);
        lock.lockInterruptibly();
        try {
          held.accept(this);
          Thread.sleep(span.toMillis());
        } finally {
          lock.unlock();
        }
      }

      @Override
      public CompletionStage<?> keep(String key) {
        return client.getLock("rlock-" + key).lockAsync();
      }

      @Override
      public void close() {
        client.shutdown();
      }
    };
  }
}
