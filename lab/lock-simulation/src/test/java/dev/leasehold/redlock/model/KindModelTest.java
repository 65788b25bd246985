package dev.leasehold.redlock.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.redlock.model.SmallModel.Found;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A small slice of what {@link ModelRun} searches of read/write locks, semaphores, locks in the
 * order of arrival, several at once, leases that linger, marks, and locks by single commands.
 */
class KindModelTest {
  @ParameterizedTest
  @MethodSource("dev.leasehold.redlock.model.KindModels#small")
  @DisplayName("The whole of a small model is safe")
  void safe(KindModels one) {
    Found found = one.run();
    assertEquals("", found.broken());
    assertTrue(found.states() > 5_000, found.toString());
  }

  @ParameterizedTest
  @MethodSource("dev.leasehold.redlock.model.KindModels#faults")
  @DisplayName("One with a fault is not, and there is a shortest way to show it")
  void fault(KindModels one) {
    Found found = one.run();
    assertEquals(one.breaks(), found.broken());
  }
}
