package dev.leasehold.controls;

import static dev.leasehold.controls.Control.Rules.breaks;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A semaphore whose waiters poll starves none of them, with nothing wrong")
class PermitSketchTest extends LockConformance {
  @Override
  protected BackendUnderTest backend() {
    return Control.permits("semaphores, polled", breaks(), PermitSketch::new);
  }

  /** The other rules are kept by the controls that break one of them. */
  @Override
  protected boolean includes(String ruleId) {
    return ruleId.equals("SE-5");
  }
}
