package dev.leasehold.benchmarks;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.LockManager;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.IntStream;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;

/**
 * A pair for each kind: ours, Redisson's and, for readers, the JDK's. Each name begins with the
 * kind.
 */
enum KindSubjects {
  READ {
    @Override
    Subject.Pair ours(LockManager locks, String key) {
      DistributedLock read = locks.readWriteLock(key).read();
      return () -> read.acquire().release();
    }

    @Override
    Subject.Pair redisson(RedissonClient client, String key) {
      RReadWriteLock lock = client.getReadWriteLock("rrw-" + key);
      return () -> {
        lock.readLock().lock();
        lock.readLock().unlock();
      };
    }
  },
  WRITE {
    @Override
    Subject.Pair ours(LockManager locks, String key) {
      DistributedLock write = locks.readWriteLock(key).write();
      return () -> write.acquire().release();
    }

    @Override
    Subject.Pair redisson(RedissonClient client, String key) {
      RReadWriteLock lock = client.getReadWriteLock("rrw-" + key);
      return () -> {
        lock.writeLock().lock();
        lock.writeLock().unlock();
      };
    }
  },
  /** One permit out of eight. */
  PERMIT {
    @Override
    Subject.Pair ours(LockManager locks, String key) {
      DistributedSemaphore semaphore = locks.semaphore(key, PERMITS);
      return () -> semaphore.acquire().release();
    }

    @Override
    Subject.Pair redisson(RedissonClient client, String key) {
      RPermitExpirableSemaphore semaphore = client.getPermitExpirableSemaphore("rsem-" + key);
      semaphore.trySetPermits(PERMITS);
      return () -> semaphore.release(semaphore.acquire());
    }
  },
  /** A latch of count one over its whole life: open, count down, pass. */
  LATCH {
    @Override
    Subject.Pair ours(LockManager locks, String key) {
      AtomicLong rounds = new AtomicLong();
      return () -> {
        DistributedLatch latch = locks.latch(round(key, rounds.incrementAndGet()));
        latch.open(1, LATCH_KEPT);
        latch.countDown();
        latch.await();
      };
    }

    @Override
    Subject.Pair redisson(RedissonClient client, String key) {
      RCountDownLatch latch = client.getCountDownLatch("rlatch-" + key);
      return () -> {
        latch.trySetCount(1);
        latch.countDown();
        latch.await();
      };
    }
  },
  /** Eight locks at once. */
  ALL {
    @Override
    Subject.Pair ours(LockManager locks, String key) {
      DistributedLock all = locks.all(names(key).toArray(String[]::new));
      return () -> all.acquire().release();
    }

    @Override
    Subject.Pair redisson(RedissonClient client, String key) {
      RLock all =
          client.getMultiLock(
              names("rall-" + key).stream().map(client::getLock).toArray(RLock[]::new));
      return () -> {
        all.lock();
        all.unlock();
      };
    }
  };

  static final int PERMITS = 8;
  static final Duration LATCH_KEPT = Duration.ofMinutes(1);
  private static final int NAMES = 8;

  /** Adjusts the number of pairs so that no kind takes much longer than the others. */
  Effort paced(Effort effort) {
    return switch (this) {
      case READ, WRITE, PERMIT -> effort;
      case LATCH -> effort.withFewerPairs(2);
      case ALL -> effort.withFewerPairs(4);
    };
  }

  /** Our latch stays at zero until it expires, so each round uses another name. */
  static String round(String key, long number) {
    return key + "-" + number;
  }

  /** The names that are locked together. */
  static List<String> names(String key) {
    return IntStream.range(0, NAMES).mapToObj(i -> key + "-" + i).toList();
  }

  abstract Subject.Pair ours(LockManager locks, String key);

  abstract Subject.Pair redisson(RedissonClient client, String key);

  Subject ours(KindClients clients) {
    return subject("redis-set", key -> ours(clients.locks(), key));
  }

  Subject redisson(KindClients clients) {
    return subject("redisson", key -> redisson(clients.redisson(), key));
  }

  /** The read side of {@link ReentrantReadWriteLock}s. */
  static Subject jdkReaders() {
    ConcurrentMap<String, ReadWriteLock> locks = new ConcurrentHashMap<>();
    return READ.subject(
        "jdk",
        key -> {
          ReadWriteLock lock = locks.computeIfAbsent(key, k -> new ReentrantReadWriteLock());
          return () -> {
            lock.readLock().lock();
            lock.readLock().unlock();
          };
        });
  }

  Subject subject(String by, Pairs pairs) {
    return new Subject() {
      @Override
      public String name() {
        return KindSubjects.this + " " + by;
      }

      @Override
      public Pair on(String key) {
        return pairs.on(key);
      }
    };
  }

  /** The pairs of a subject. */
  @FunctionalInterface
  interface Pairs {
    Subject.Pair on(String key);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
