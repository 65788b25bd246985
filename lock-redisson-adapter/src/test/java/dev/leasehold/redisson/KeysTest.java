package dev.leasehold.redisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.redis.common.KeySpace;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.config.NameMapper;

@DisplayName("On Redisson's keys, a name")
class KeysTest {
  private static Keys of(String name, KeySpace space) {
    return Keys.of(name, space, NameMapper.direct());
  }

  @Test
  @DisplayName("that is one of our keys beside another lock is refused")
  void beside() {
    Keys x = of("x", KeySpace.WHOLE);
    for (String key :
        List.of(x.fence(), x.permitDoor(), x.latchRound(), x.latchCounted(), x.sidesFences())) {
      LockStoreException refused =
          assertThrows(LockStoreException.class, () -> of(key, KeySpace.WHOLE));
      assertEquals(LockStoreException.Kind.REFUSED, refused.kind());
      assertTrue(String.valueOf(refused.getMessage()).contains(key), refused.getMessage());
      assertThrows(LockStoreException.class, () -> of(key, new KeySpace("tenant:")));
    }
  }

  @Test
  @DisplayName("that only looks like one is a lock")
  void others() {
    for (String name : List.of("lh:{x}", "lh:x:fence", "{x}:fence", "lh:{x}:fences")) {
      assertEquals(name, of(name, KeySpace.WHOLE).lock());
    }
  }
}
