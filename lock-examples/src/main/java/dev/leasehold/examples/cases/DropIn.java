package dev.leasehold.examples.cases;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Code that was written for a {@link ReentrantLock} keeps its {@link Lock}, and now excludes other
 * machines as well. {@code newCondition()} is the one thing that it can't have: a condition across
 * machines would be another library.
 */
public final class DropIn {
  private final Lock lock;
  private int stock;

  DropIn(Lock lock, int stock) {
    this.lock = lock;
    this.stock = stock;
  }

  /** Takes some out of stock, if there are so many. */
  boolean take(int pieces) {
    lock.lock();
    try {
      return isThere(pieces) && remove(pieces);
    } finally {
      lock.unlock();
    }
  }

  /** The same, if nobody else is at it. */
  boolean takeIfQuiet(int pieces, long millis) throws InterruptedException {
    if (!lock.tryLock(millis, TimeUnit.MILLISECONDS)) {
      return false;
    }
    try {
      return isThere(pieces) && remove(pieces);
    } finally {
      lock.unlock();
    }
  }

  private boolean isThere(int pieces) {
    lock.lock(); // again, by the same thread
    try {
      return stock >= pieces;
    } finally {
      lock.unlock();
    }
  }

  private boolean remove(int pieces) {
    stock -= pieces;
    return true;
  }

  int stock() {
    return stock;
  }

  /** Uses the same class with a lock of this JVM and with one of all machines. */
  public static void main(String[] args) throws Exception {
    try (RedisServer redis = RedisServers.start();
        LockManager locks =
            LockManager.open(
                LockSettings.of(
                    Map.of("lock.backend", "redis-set", "lock.redis.uri", redis.uri())))) {
      for (Lock lock : new Lock[] {new ReentrantLock(), locks.lock("stock").asLock()}) {
        DropIn stock = new DropIn(lock, 10);
        System.out.printf(
            "%s: take 7 of 10: %b; take 7 more: %b; 3 if it is quiet: %b; left: %d%n",
            lock.getClass().getSimpleName(),
            stock.take(7),
            stock.take(7),
            stock.takeIfQuiet(3, 100),
            stock.stock());
      }
    }
  }
}
