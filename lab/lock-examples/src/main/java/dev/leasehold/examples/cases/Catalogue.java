package dev.leasehold.examples.cases;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One process refreshes a catalogue of several keys, and many threads of another read it. With a
 * read/write lock the readers read concurrently, and none sees half of a refresh. With a plain lock
 * they read one after another, and without a lock some see half of a refresh.
 */
public final class Catalogue {
  private static final int PAGES = 20;
  private static final int READERS = 8;
  private static final int REFRESHES = 20;

  /** The number of reads before the refresh. */
  private static final int READS = 100;

  /** The way in which readers and the refresh are synchronized. */
  enum Way {
    READ_WRITE_LOCK,
    LOCK,
    BARE
  }

  /**
   * The result.
   *
   * @param torn how often a reader saw half of a refresh
   * @param atOnce the largest number of concurrent readers
   */
  record Outcome(long torn, int atOnce) {}

  private final RedisCommands<String, String> pages;
  private final Optional<DistributedLock> toRead;
  private final Optional<DistributedLock> toWrite;
  private final AtomicInteger reading = new AtomicInteger();
  private final AtomicInteger atOnce = new AtomicInteger();
  private final CountDownLatch readOften = new CountDownLatch(READS);

  private Catalogue(RedisCommands<String, String> pages, LockManager locks, Way way) {
    this.pages = pages;
    switch (way) {
      case READ_WRITE_LOCK -> {
        DistributedReadWriteLock lock = locks.readWriteLock("catalogue");
        toRead = Optional.of(lock.read());
        toWrite = Optional.of(lock.write());
      }
      case LOCK -> {
        toRead = Optional.of(locks.lock("catalogue"));
        toWrite = toRead;
      }
      default -> {
        toRead = Optional.empty();
        toWrite = Optional.empty();
      }
    }
  }

  void refresh(int edition) throws InterruptedException {
    if (toWrite.isEmpty()) {
      write(edition);
      return;
    }
    try (Lease writing = toWrite.get().acquire()) {
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
    if (toRead.isEmpty()) {
      return read();
    }
    try (Lease reading = toRead.get().acquire()) {
      return read() || !reading.isValid();
    }
  }

  private boolean read() {
    atOnce.accumulateAndGet(reading.incrementAndGet(), Math::max);
    try {
      String first = pages.get("page:0");
      boolean whole = true;
      for (int page = 1; page < PAGES; page++) {
        whole &= String.valueOf(first).equals(pages.get("page:" + page));
      }
      return whole;
    } finally {
      reading.decrementAndGet();
      readOften.countDown();
    }
  }

  /** Prints how often a reader saw half of a refresh, and how many read concurrently. */
  public static void main(String[] args) throws Exception {
    for (Way way : Way.values()) {
      Outcome outcome = run(way);
      System.out.printf(
          "%s: a catalogue is refreshed %d times; %d of %d readers read at once, and saw parts of"
              + " two editions %d times%n",
          way, REFRESHES, outcome.atOnce(), READERS, outcome.torn());
    }
  }

  static Outcome run(Way way) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(READERS);
    try (RedisServer redis = RedisServers.start();
        LockManager locks = Child.locksOnLettuce(redis.uri());
        Child refresher = Child.start(Refresher.class, redis.uri(), way.name())) {
      RedisClient client = RedisClient.create(redis.uri());
      Catalogue catalogue = new Catalogue(client.connect().sync(), locks, way);
      refresher.next(); // writes the first edition
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        readers.add(threads.submit(() -> torn(catalogue, over)));
      }
      catalogue.readOften.await(20, TimeUnit.SECONDS); // before the refresh
      refresher.goOn();
      refresher.next(); // done
      over.set(true);
      long torn = 0;
      for (Future<Long> reader : readers) {
        torn += reader.get();
      }
      client.shutdown();
      return new Outcome(torn, catalogue.atOnce.get());
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
        Catalogue catalogue = new Catalogue(client.connect().sync(), locks, Way.valueOf(args[1]));
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
