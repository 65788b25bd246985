package dev.leasehold.examples.cases;

import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A catalogue of several keys is refreshed by one process and read by many threads of another. With
 * a read/write lock the readers do not wait for one another, and none sees half of a refresh.
 * Without it some do.
 */
public final class Catalogue {
  private static final int PAGES = 20;
  private static final int READERS = 8;
  private static final int REFRESHES = 20;

  private final RedisCommands<String, String> pages;
  private final DistributedReadWriteLock lock;
  private final boolean guarded;

  private Catalogue(RedisCommands<String, String> pages, LockManager locks, boolean guarded) {
    this.pages = pages;
    this.lock = locks.readWriteLock("catalogue");
    this.guarded = guarded;
  }

  void refresh(int edition) throws InterruptedException {
    if (!guarded) {
      write(edition);
      return;
    }
    try (Lease writing = lock.write().acquire()) {
      write(edition);
      writing.ensureValid();
    }
  }

  private void write(int edition) {
    for (int page = 0; page < PAGES; page++) {
      pages.set("page:" + page, Integer.toString(edition));
    }
  }

  /** Whether all pages are of one edition. */
  boolean isWhole() throws InterruptedException {
    if (!guarded) {
      return read();
    }
    try (Lease reading = lock.read().acquire()) {
      return read() || !reading.isValid();
    }
  }

  private boolean read() {
    String first = pages.get("page:0");
    boolean whole = true;
    for (int page = 1; page < PAGES; page++) {
      whole &= String.valueOf(first).equals(pages.get("page:" + page));
    }
    return whole;
  }

  /** Tells how often a reader saw half of a refresh. */
  public static void main(String[] args) throws Exception {
    for (Mode mode : Mode.values()) {
      System.out.printf(
          "%s: a catalogue is refreshed %d times; its readers saw parts of two editions %d times%n",
          mode, REFRESHES, run(mode));
    }
  }

  static long run(Mode mode) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(READERS);
    try (RedisServer redis = RedisServers.start();
        LockManager locks = Child.locksOnLettuce(redis.uri());
        Child refresher = Child.start(Refresher.class, redis.uri(), mode.name())) {
      RedisClient client = RedisClient.create(redis.uri());
      Catalogue catalogue = new Catalogue(client.connect().sync(), locks, mode == Mode.GUARDED);
      refresher.next(); // the first edition is there
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        readers.add(threads.submit(() -> torn(catalogue, over)));
      }
      refresher.goOn();
      refresher.next(); // done
      over.set(true);
      long torn = 0;
      for (Future<Long> reader : readers) {
        torn += reader.get();
      }
      client.shutdown();
      return torn;
    } finally {
      threads.shutdownNow();
    }
  }

  private static long torn(Catalogue catalogue, AtomicBoolean over) throws InterruptedException {
    long torn = 0;
    while (!over.get()) {
      torn += catalogue.isWhole() ? 0 : 1;
    }
    return torn;
  }

  /** The other process. */
  static final class Refresher {
    private Refresher() {}

    public static void main(String[] args) throws Exception {
      RedisClient client = RedisClient.create(args[0]);
      try (LockManager locks = Child.locksOnLettuce(args[0])) {
        boolean guarded = args[1].equals(Mode.GUARDED.name());
        Catalogue catalogue = new Catalogue(client.connect().sync(), locks, guarded);
        catalogue.refresh(0);
        Child.sayAndWait("there");
        for (int edition = 1; edition <= REFRESHES; edition++) {
          catalogue.refresh(edition);
        }
        System.out.println("done");
      } finally {
        client.shutdown();
      }
    }
  }
}
