package dev.leasehold.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

@DisplayName("Spring Data connects to what the URI says")
class SpringSubjectsTest {
  @Test
  @DisplayName("With password, database and TLS")
  void all() {
    LettuceConnectionFactory connections =
        SpringSubjects.connections("rediss://someone:secret@127.0.0.1:7000/3");
    try {
      assertEquals("127.0.0.1", connections.getHostName());
      assertEquals(7000, connections.getPort());
      assertEquals("secret", connections.getPassword());
      assertEquals(3, connections.getDatabase());
      assertTrue(connections.isUseSsl());
    } finally {
      connections.destroy();
    }
  }

  @Test
  @DisplayName("Without them")
  void none() {
    LettuceConnectionFactory connections = SpringSubjects.connections("redis://127.0.0.1:7000");
    try {
      assertEquals(7000, connections.getPort());
      assertNull(connections.getPassword());
      assertFalse(connections.isUseSsl());
    } finally {
      connections.destroy();
    }
  }
}
