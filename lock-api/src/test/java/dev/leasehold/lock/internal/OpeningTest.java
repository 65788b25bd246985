package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.Ticker;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an opening that fails leaves behind: nothing. */
class OpeningTest {
  private final MapStore store = new MapStore(Ticker.system());

  private final LockBackend backend =
      new LockBackend() {
        @Override
        public String id() {
          return "map";
        }

        @Override
        public List<Setting<?>> settings() {
          return List.of();
        }

        @Override
        public LeaseStore open(LockSettings settings) {
          return store;
        }
      };

  private void checkClosed(RuntimeException failure, UnaryOperator<LockManager.Builder> engine) {
    assertSame(
        failure,
        assertThrows(
            RuntimeException.class, () -> backend.manager(LockSettings.of(Map.of()), engine)));
    assertTrue(store.closed > 0, "the store is closed");
  }

  @Test
  @DisplayName("A store is closed when the changes to its engine throw")
  void changesThrow() {
    RuntimeException failure = new IllegalStateException("no such name");
    checkClosed(
        failure,
        builder -> {
          throw failure;
        });
  }

  @Test
  @DisplayName("A store is closed when the engine can't be built")
  void buildingFails() {
    RuntimeException failure = new IllegalStateException("can't start");
    checkClosed(failure, builder -> builder.renewer(new BrokenRenewer(failure)));
  }

  @Test
  @DisplayName("An error is passed on unchanged, and the store is closed")
  void anError() {
    AssertionError failure = new AssertionError("of the user's");
    assertSame(
        failure,
        assertThrows(
            AssertionError.class,
            () -> LockManager.over(store).renewer(new BrokenRenewer(failure)).build()));
    assertEquals(1, store.closed);
  }
}
