package dev.leasehold.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockManager;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Names are hostile input")
class HostileNamesTest extends OnOneServer {
  private static final List<String> NAMES =
      List.of(
          "<script>alert(1)</script>",
          "a\r\nb\u0000c\u001b[31m",
          "\u202Egnol\u2066",
          "{}",
          "}:readers",
          "x}:writer{",
          "%7B%25}",
          "lh:{x}",
          "*?[a]\\",
          "'; DROP TABLE locks; --",
          " ",
          "😀",
          "n".repeat(512),
          "}".repeat(512));

  @Test
  @DisplayName("Each is listed as it is, found by itself as a pattern, shown, and broken")
  void all() throws Exception {
    LockManager one = process("one");
    for (String name : NAMES) {
      one.lock(name).acquire();
      one.readWriteLock(name).read().acquire();
    }
    LockAdmin admin = admin();
    List<String> listed = admin.list("*").stream().map(ListedLock::name).toList();
    assertEquals(2 * NAMES.size(), listed.size(), listed::toString);
    assertEquals(Set.copyOf(NAMES), Set.copyOf(listed));
    for (String name : NAMES) {
      String pattern = name.replaceAll("([\\\\*?\\[\\]])", "\\\\$1");
      Set<String> found =
          admin.list(pattern).stream().map(ListedLock::name).collect(Collectors.toSet());
      assertEquals(Set.of(name), found);
      List<LockDetails> shown = admin.show(name);
      assertEquals(2, shown.size(), shown::toString);
      for (LockDetails each : shown) {
        assertInstanceOf(
            BreakResult.Broken.class, admin.breakLock(name, each.entry().holds().get(0).id()));
      }
      assertEquals(List.of(), admin.show(name));
    }
  }

  @Test
  @DisplayName("Records quote them, on one line and without control characters")
  void quoted() throws Exception {
    LockManager one = process("one");
    for (String name : NAMES) {
      one.lock(name).acquire();
    }
    for (ListedLock entry : admin().list("*")) {
      assertFalse(entry.toString().chars().anyMatch(c -> c < ' ' || c == 0x202E), entry.name());
      assertFalse(entry.named().chars().anyMatch(c -> c < ' ' || c == 0x202E), entry.name());
    }
  }

  @Test
  @DisplayName("A key of 1 KB that no manager wrote is listed, too")
  void tooLong() {
    String name = "n".repeat(1024);
    server.call("SET", "lh:{" + name + "}", "one:0123456789012345678901", "PX", "10000");
    ListedLock entry = admin().list("*").iterator().next();
    assertEquals(name, entry.name());
    assertEquals("one", entry.holds().get(0).holder());
  }

  @Test
  @DisplayName("The text shown never frees a lock")
  void secrets() throws Exception {
    process("one").lock("orders").acquire();
    String token = (String) server.call("GET", "lh:{orders}").orElseThrow();
    String secret = token.substring(token.indexOf(':') + 1);
    String shown = admin().show("orders").toString();
    assertTrue(shown.contains("one"), shown);
    assertFalse(shown.contains(secret), shown);
  }

  @Test
  @DisplayName("A lone surrogate is refused, and so is an id that is none")
  void refused() {
    LockAdmin admin = admin();
    assertThrows(IllegalArgumentException.class, () -> admin.show("\ud800"));
    assertEquals(0, admin.list("\ud800").stream().count());
    assertThrows(IllegalArgumentException.class, () -> new HoldId("0123\n456789abcde"));
  }
}
