package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockKeysTest {

  @ParameterizedTest
  @CsvSource({
    "orders, lh:{orders}",
    "a{b}c, lh:{a%7Bb%7Dc}",
    "}, lh:{%7D}",
    "100%, lh:{100%25}",
    "%7D, lh:{%257D}",
    "日本, lh:{日本}"
  })
  void aNameBecomesAHashTag(String name, String key) {
    LockKeys keys = KeySpace.WHOLE.keys(name);
    assertEquals(key, text(keys.lock()));
    assertEquals(key, text(LockKeys.lock(name)));
    assertEquals(key + ":fence", text(keys.fence()));
    assertEquals(key + ":wait", text(keys.waiters()));
    assertEquals(key + ":wake:", text(KeySpace.WHOLE.shardChannelPrefix(name)));
    assertEquals(name, text(LockKeys.plain(name)));
  }

  /** All short names over the characters that matter, and then random ones. */
  @Test
  void differentNamesNeverShareAKeyAndAllKeysOfANameShareATag() {
    String[] alphabet = {"{", "}", "%", "7", "B", "D", "2", "5", ":", "f", "x", "\0", "ü"};
    Map<String, String> seen = new HashMap<>();
    Random random = new Random(1);
    for (int i = 0; i < 200_000; i++) {
      StringBuilder name = new StringBuilder();
      for (int left = 1 + random.nextInt(5); left > 0; left--) {
        name.append(alphabet[random.nextInt(alphabet.length)]);
      }
      check(name.toString(), seen);
    }
    check("{x}:fence", seen);
    check("x}:fence", seen);
  }

  private static void check(String name, Map<String, String> seen) {
    LockKeys keys = KeySpace.WHOLE.keys(name);
    for (byte[] key : new byte[][] {keys.lock(), keys.fence(), keys.waiters()}) {
      String other = seen.put(text(key), name);
      assertTrue(other == null || other.equals(name), () -> "'" + name + "' and '" + other + "'");
      assertEquals(tag(text(keys.lock())), tag(text(key)), name);
    }
  }

  /** As a cluster finds it: between the first opening brace and the next closing one. */
  private static String tag(String key) {
    int open = key.indexOf('{');
    int close = key.indexOf('}', open + 1);
    assertTrue(close > open + 1, "a tag that is not empty: " + key);
    return key.substring(open + 1, close);
  }

  @ParameterizedTest
  @ValueSource(ints = {0xD800, 0xDBFF, 0xDC00, 0xDFFF})
  void aLoneSurrogateIsRefused(int code) {
    for (String name : new String[] {"x" + (char) code, (char) code + "x", "" + (char) code}) {
      assertThrows(IllegalArgumentException.class, () -> KeySpace.WHOLE.keys(name));
      assertThrows(IllegalArgumentException.class, () -> LockKeys.plain(name));
    }
  }

  @Test
  void theMarkerOfAQuorumsNodeIsNoLockWhereNamesAreKeys() {
    LockStoreException e = assertThrows(LockStoreException.class, () -> LockKeys.plain("lh:node"));
    assertEquals(LockStoreException.Kind.REFUSED, e.kind());
    assertTrue(e.getMessage().contains("'lh:node'"), e.getMessage());
    assertEquals("lh:{lh:node}", text(LockKeys.lock("lh:node")));
    KeySpace tenant = new KeySpace("a:");
    assertThrows(LockStoreException.class, () -> tenant.plain("lh:node"));
    assertThrows(LockStoreException.class, () -> new KeySpace("lh:").plain("node"));
    assertEquals("a:lh:nodes", text(tenant.plain("lh:nodes")));
  }

  @Test
  void aPairIsFine() {
    assertEquals("lh:{\uD83D\uDD12}", text(LockKeys.lock("\uD83D\uDD12")));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
