package dev.leasehold.redis.common;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.leasehold.lock.LockConfigurationException;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A client that is too old is refused by its version")
class ClientVersionTest {
  @ParameterizedTest
  @ValueSource(strings = {"6.6.0.RELEASE/643bd47", "6.6.0", "6.10.1", "7.0.0-beta2", "10.0"})
  @DisplayName("A new enough version is accepted")
  void newEnough(String version) {
    assertDoesNotThrow(() -> ClientVersion.check("Client", Optional.of(version), 6, 6));
  }

  @ParameterizedTest
  @ValueSource(strings = {"6.5.5.RELEASE/abc", "5.2.0", "6.0"})
  @DisplayName("An older version is refused, with the version found and the one needed")
  void tooOld(String version) {
    LockConfigurationException e =
        assertThrows(
            LockConfigurationException.class,
            () -> ClientVersion.check("Client", Optional.of(version), 6, 6));
    String shown = version.replace("/abc", ""); // the commit that it was built from
    assertEquals("Client " + shown + " is on the path, and 6.6 or newer is needed", e.getMessage());
  }

  @Test
  @DisplayName("An unknown version is accepted")
  void unknown() {
    assertDoesNotThrow(() -> ClientVersion.check("Client", Optional.empty(), 6, 6));
    assertDoesNotThrow(() -> ClientVersion.check("Client", Optional.of("main"), 6, 6));
    assertFalse(ClientVersion.isAtLeast(Optional.empty(), 1, 0), "unknown");
    assertEquals(Optional.empty(), ClientVersion.ofMaven(ClientVersion.class, "none", "of-this"));
  }
}
