package dev.leasehold.lock.internal.kinds;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.internal.calls.LockNames;
import dev.leasehold.lock.spi.Quoted;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The kind of each name, on a store where all kinds of a name share the same keys. Remembers the
 * names that were used last; the kind of an older one is only known to the store. Thread-safe.
 */
public final class NameKinds {
  /** How many names are remembered: more than a process uses at a time, in a few megabytes. */
  public static final int REMEMBERED = 10_000;

  /** The kinds of a name, and their words in messages. */
  public enum Kind {
    LOCK("lock"),
    READ_WRITE("read/write lock"),
    SEMAPHORE("semaphore"),
    LATCH("latch");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** Checks a name of this kind. */
    public void check(String name) {
      LockNames.check(words, name);
    }
  }

  private final boolean matters;
  private final ReentrantLock mutex = new ReentrantLock();

  @GuardedBy("mutex")
  private final Map<String, Kind> kinds =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Kind> eldest) {
          return size() > REMEMBERED;
        }
      };

  /**
   * Creates an empty memory.
   *
   * @param matters whether kinds share keys; otherwise a name may be of any kind
   */
  public NameKinds(boolean matters) {
    this.matters = matters;
  }

  /**
   * Checks a name that is used as this kind.
   *
   * @throws LockConfigurationException if it was used as another kind
   */
  public void ask(String name, Kind kind) {
    if (!matters) {
      return;
    }
    Kind known = remembered(name, kind);
    if (known != null && known != kind) {
      throw new LockConfigurationException(
          Quoted.name(name)
              + " is used as a "
              + kind.words
              + ", and was used before as a "
              + known.words
              + ": on this store all kinds of a name have the same keys, and would not exclude one"
              + " another correctly. Give one of them another name");
    }
  }

  private @Nullable Kind remembered(String name, Kind kind) {
    mutex.lock();
    try {
      return kinds.putIfAbsent(name, kind);
    } finally {
      mutex.unlock();
    }
  }
}
