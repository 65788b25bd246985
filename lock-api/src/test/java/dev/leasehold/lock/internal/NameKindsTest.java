package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.internal.kinds.NameKinds;
import dev.leasehold.lock.internal.kinds.NameKinds.Kind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Where all kinds of a name meet on the same keys")
class NameKindsTest {
  private final NameKinds names = new NameKinds(true);

  @Test
  @DisplayName("A name that was used as another kind is refused; the message names both kinds")
  void refused() {
    names.ask("orders", Kind.READ_WRITE);
    names.ask("orders", Kind.READ_WRITE);
    names.ask("exports", Kind.SEMAPHORE);
    LockConfigurationException e =
        assertThrows(LockConfigurationException.class, () -> names.ask("orders", Kind.LOCK));
    assertTrue(e.getMessage().contains("'orders'"), e.getMessage());
    assertTrue(e.getMessage().contains("as a lock"), e.getMessage());
    assertTrue(e.getMessage().contains("as a read/write lock"), e.getMessage());
    assertThrows(LockConfigurationException.class, () -> names.ask("exports", Kind.LOCK));
    assertThrows(LockConfigurationException.class, () -> names.ask("orders", Kind.LOCK));
  }

  @Test
  @DisplayName("An unbounded stream of names does not fill the memory, and names in use stay known")
  void bounded() {
    names.ask("used", Kind.SEMAPHORE);
    names.ask("once", Kind.SEMAPHORE);
    for (int i = 0; i < 2 * NameKinds.REMEMBERED; i++) {
      names.ask("job-" + i, Kind.LOCK);
      names.ask("used", Kind.SEMAPHORE);
    }
    assertThrows(LockConfigurationException.class, () -> names.ask("used", Kind.LOCK));
    names.ask("once", Kind.LOCK);
  }

  @Test
  @DisplayName("Elsewhere every name may be of every kind")
  void strangers() {
    NameKinds apart = new NameKinds(false);
    for (Kind kind : Kind.values()) {
      apart.ask("orders", kind);
    }
  }
}
