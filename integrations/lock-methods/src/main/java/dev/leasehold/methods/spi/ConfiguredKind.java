package dev.leasehold.methods.spi;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import java.util.Arrays;
import java.util.List;

/** What a {@link ConfiguredLock} can be. */
public enum ConfiguredKind {
  /** A lock: one at a time. */
  LOCK("lock", DistributedLock.class),
  /** A read/write lock: many read, or one writes. */
  READ_WRITE("read-write", DistributedReadWriteLock.class),
  /** A semaphore: so many at a time. */
  SEMAPHORE("semaphore", DistributedSemaphore.class),
  /** A latch: all wait until so many things have happened. */
  LATCH("latch", DistributedLatch.class);

  private final String word;
  private final Class<?> type;

  ConfiguredKind(String word, Class<?> type) {
    this.word = word;
    this.type = type;
  }

  /** The type of what is injected. */
  public Class<?> type() {
    return type;
  }

  /** How settings call it. */
  public String word() {
    return word;
  }

  static List<String> words() {
    return Arrays.stream(values()).map(ConfiguredKind::word).toList();
  }

  static ConfiguredKind of(String word) {
    return Arrays.stream(values()).filter(kind -> kind.word.equals(word)).findFirst().orElseThrow();
  }
}
