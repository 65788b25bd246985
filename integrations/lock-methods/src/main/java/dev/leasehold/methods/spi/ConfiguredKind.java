package dev.leasehold.methods.spi;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import java.util.Arrays;
import java.util.List;

/** The kind of a {@link ConfiguredLock}. */
public enum ConfiguredKind {
  /** A lock: one holder at a time. */
  LOCK("lock", DistributedLock.class),
  /** A read/write lock: many readers or one writer. */
  READ_WRITE("read-write", DistributedReadWriteLock.class),
  /** A semaphore: a limited number of permits. */
  SEMAPHORE("semaphore", DistributedSemaphore.class),
  /** A latch: waiters wait until a number of events have happened. */
  LATCH("latch", DistributedLatch.class);

  private final String word;
  private final Class<?> type;

  ConfiguredKind(String word, Class<?> type) {
    this.word = word;
    this.type = type;
  }

  /** The type to be injected. */
  public Class<?> type() {
    return type;
  }

  /** The name of this kind in settings. */
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
