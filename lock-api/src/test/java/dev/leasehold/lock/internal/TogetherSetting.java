package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.acquire.LockTable;
import dev.leasehold.lock.internal.several.CombinedNames;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;

/** A store that takes several names in one step; all happens on the test's thread. */
abstract class TogetherSetting {
  final ManualTime time = new ManualTime();

  /** What no timer has come due for yet. */
  final AtomicLong ahead = new AtomicLong();

  final TogetherStore store = new TogetherStore(this::now);
  final List<LockEvent> events = new ArrayList<>();

  /** Hears what happens as it does. */
  LockListener hears = event -> {};

  final LockManager manager = manager();
  final LockManager other = manager();

  private LockManager manager() {
    return time.manager(store).listener(this::heard).ticker(this::now).build();
  }

  private long now() {
    return time.nanos() + ahead.get();
  }

  private void heard(LockEvent event) {
    events.add(event);
    hears.on(event);
  }

  @AfterEach
  void close() {
    manager.close();
    other.close();
  }

  /** The names of a manager that are in use. */
  static LockTable table(LockManager manager) {
    try {
      Field field = Engine.class.getDeclaredField("locks");
      field.setAccessible(true);
      return (LockTable) Objects.requireNonNull(field.get(manager));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  CombinedNames combined(String... names) {
    return Objects.requireNonNull(
        CombinedNames.of(List.of(names), LockOptions.defaults(), table(manager)));
  }
}
