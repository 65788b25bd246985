package dev.leasehold.micrometer;

import io.micrometer.core.instrument.Tags;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;

/** Names as tags, as many as were asked for. Thread-safe. */
final class NameTags {
  private static final int MOST = 10_000;

  /** No tags. */
  static final NameTags NONE = new NameTags(UnaryOperator.identity(), 0);

  private final UnaryOperator<String> tag;
  private final Set<String> values = ConcurrentHashMap.newKeySet();
  private final Semaphore free;
  private final boolean none;

  private NameTags(UnaryOperator<String> tag, int most) {
    this.tag = Objects.requireNonNull(tag, "tag");
    this.free = new Semaphore(most);
    this.none = most == 0;
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
      return values.contains(value);
    }
    if (!values.add(value)) {
      free.release(); // another thread has just added it
    }
    return true;
  }
}
