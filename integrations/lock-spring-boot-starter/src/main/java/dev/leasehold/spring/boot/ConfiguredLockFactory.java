package dev.leasehold.spring.boot;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.LockManager;
import dev.leasehold.methods.spi.ConfiguredKind;
import java.util.Objects;
import org.springframework.beans.factory.BeanFactory;

/** Creates the beans of {@code leasehold.locks.<id>}: one method per type, called by Spring. */
final class ConfiguredLockFactory {
  private ConfiguredLockFactory() {}

  /** The method that creates locks of a kind. */
  static String method(ConfiguredKind kind) {
    return switch (kind) {
      case LOCK -> "lock";
      case READ_WRITE -> "readWriteLock";
      case SEMAPHORE -> "semaphore";
      case LATCH -> "latch";
    };
  }

  static DistributedLock lock(String id, LockEnvironment locks, BeanFactory beans) {
    return of(id, DistributedLock.class, locks, beans);
  }

  static DistributedReadWriteLock readWriteLock(
      String id, LockEnvironment locks, BeanFactory beans) {
    return of(id, DistributedReadWriteLock.class, locks, beans);
  }

  static DistributedSemaphore semaphore(String id, LockEnvironment locks, BeanFactory beans) {
    return of(id, DistributedSemaphore.class, locks, beans);
  }

  static DistributedLatch latch(String id, LockEnvironment locks, BeanFactory beans) {
    return of(id, DistributedLatch.class, locks, beans);
  }

  private static <T> T of(String id, Class<T> type, LockEnvironment locks, BeanFactory beans) {
    return type.cast(
        Objects.requireNonNull(locks.configured().get(id)).of(beans.getBean(LockManager.class)));
  }
}
