package dev.leasehold.benchmarks;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.LockManager;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;

/**
 * A side of a read/write lock, or a semaphore: ours, Redisson's and, of readers, the JDK's. The
 * name of each begins with the kind.
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
  /** One permit of eight. */
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
  };

  static final int PERMITS = 8;

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
