package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.threads.Alarms;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The engine's objects for a name that is held")
class HeldMemoryTest {
  private static final List<String> OBJECTS =
      List.of("Hold", "HoldEntry", "Holds", "LeaseHandle", "LockEntry", "Monitor", "RemoteLease");

  private static final LockOptions OPTIONS =
      LockOptions.defaults().toBuilder().handOver(HandOver.none()).build();

  private final ManualTime time = new ManualTime();
  private final MapStore store = new MapStore(time);
  private final LockManager locks = time.manager(store).build();

  @AfterEach
  void close() {
    locks.close();
  }

  @Test
  @DisplayName("are seven, all other objects of the engine are shared with other names")
  void ofAHeldName() throws IllegalAccessException {
    Object one = held("a");
    Object other = held("b");
    assertEquals(OBJECTS, of(one, other));
  }

  @Test
  @DisplayName("are no more once others were refused")
  void afterRefusals() throws Exception {
    Object one = held("a");
    Object other = held("b");
    LockOwner waiter = LockOwner.unique("waiter");
    assertTrue(locks.lock("a").as(waiter).tryAcquire().isEmpty());
    assertEquals(OBJECTS, of(one, other));
  }

  /** Acquires a name; without numbers for hand-overs, as a store grants it without waiters. */
  private Lease held(String name) {
    return locks.lock(name, OPTIONS).tryAcquire().orElseThrow();
  }

  /** Returns the simple names of the engine's objects that only the first lease keeps. */
  private static List<String> of(Object lease, Object other) throws IllegalAccessException {
    Set<Object> mine = reachable(lease);
    mine.removeAll(reachable(other));
    return mine.stream().map(object -> object.getClass().getSimpleName()).sorted().toList();
  }

  private static Set<Object> reachable(Object from) throws IllegalAccessException {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> left = new ArrayDeque<>(List.of(from));
    while (!left.isEmpty()) {
      Object object = left.remove();
      if (object.getClass().getName().startsWith("dev.leasehold.") && seen.add(object)) {
        for (Class<?> type = object.getClass(); isOurs(type); type = type.getSuperclass()) {
          for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
              field.setAccessible(true);
              Object value = field.get(object);
              if (value != null) {
                left.add(value);
              }
            }
          }
        }
      }
    }
    return seen;
  }

  /** Alarms are linked to those of other names. */
  private static boolean isOurs(Class<?> type) {
    return type.getName().startsWith("dev.leasehold.")
        && type != Alarms.Alarm.class
        && type != Alarms.class;
  }
}
