package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.spi.Ticker;

/** The same where the store takes several names in one step. */
class AllTogetherTest extends AllLocksTest {
  @Override
  MapStore store() {
    return new TogetherStore(Ticker.system());
  }

  @Override
  void checkToken(Lease lease) {
    long token = lease.fencingToken();
    assertTrue(token > 0);
    lease.parts().forEach(part -> assertEquals(token, part.fencingToken()));
  }
}
