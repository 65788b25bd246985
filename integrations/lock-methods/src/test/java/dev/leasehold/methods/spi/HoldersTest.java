package dev.leasehold.methods.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The holder in the message of a call that did not get its lock")
class HoldersTest {

  private static String told(Duration remaining) {
    HolderInfo holder = new HolderInfo("a", "b-1", remaining, OptionalLong.empty());
    DistributedLock lock =
        (DistributedLock)
            Proxy.newProxyInstance(
                HoldersTest.class.getClassLoader(),
                new Class<?>[] {DistributedLock.class},
                (proxy, method, arguments) -> Optional.of(holder));
    return Holders.of(lock);
  }

  @Test
  @DisplayName("has no end where another program wrote a value without one")
  void endless() {
    assertEquals("; it is held by 'b-1', for another 2s", told(Duration.ofSeconds(2)));
    assertEquals("; it is held by 'b-1', without an end", told(Duration.ofNanos(Long.MAX_VALUE)));
  }
}
