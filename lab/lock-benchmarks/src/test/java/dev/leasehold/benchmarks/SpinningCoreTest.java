package dev.leasehold.benchmarks;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A core is kept busy until it is stopped")
class SpinningCoreTest {
  @Test
  @DisplayName("It spins, and ends")
  void ends() throws Exception {
    SpinningCore core = SpinningCore.start();
    assertTrue(core.isSpinning());
    core.stop();
    assertFalse(core.isSpinning());
  }
}
