package dev.leasehold.micrometer;

import dev.leasehold.lock.spi.Quoted;
import io.micrometer.core.instrument.Tags;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/** Lock names as tag values, up to a limit. Thread-safe. */
final class NameTags {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.micrometer");
  private static final int MOST = 10_000;

  /** No tags. */
  static final NameTags NONE = new NameTags(UnaryOperator.identity(), 0);

  private final UnaryOperator<String> tag;
  private final Set<String> values = ConcurrentHashMap.newKeySet();
  private final Semaphore free;
  private final boolean none;
  private final int most;
  private final AtomicBoolean told = new AtomicBoolean();

  private NameTags(UnaryOperator<String> tag, int most) {
    this.tag = Objects.requireNonNull(tag, "tag");
    this.free = new Semaphore(most);
    this.none = most == 0;
    this.most = most;
  }

  static NameTags of(UnaryOperator<String> tag, int most) {
    if (most < 1 || most > MOST) {
      throw new IllegalArgumentException("most = " + most + " is not between 1 and " + MOST);
    }
    return new NameTags(tag, most);
  }

  Tags of(String name) {
    if (none) {
      return Tags.empty();
    }
    String value = tag.apply(name);
    return Tags.of("lock", isIn(value) ? value : LockMetrics.OTHERS);
  }

  private boolean isIn(String value) {
    if (values.contains(value)) {
      return true;
    }
    if (!free.tryAcquire()) {
      boolean meanwhile = values.contains(value); // added meanwhile by another thread
      if (!meanwhile && told.compareAndSet(false, true)) {
        LOG.log(
            Level.WARNING,
            "lock names as tags: the limit of {0} values is reached; {1} and later names count as"
                + " {2}",
            most,
            Quoted.name(value),
            LockMetrics.OTHERS);
      }
      return meanwhile;
    }
    if (!values.add(value)) {
      free.release(); // another thread has just added it
    }
    return true;
  }
}
