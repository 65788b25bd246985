package dev.leasehold.redisson;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.client.RedisException;
import org.redisson.client.RedisResponseTimeoutException;

@DisplayName("Redisson's exceptions as the store's")
class RedissonFailuresTest {
  private static final String QUOTED =
      "no answer. Command: (EVALSHA), params: [orders\nERROR gone]";

  @Test
  @DisplayName("have it as their cause")
  void cause() {
    Throwable failure = new RedisException("refused", new IOException("reset"));
    assertSame(failure, RedissonFailures.of(failure, "Could not").getCause());
  }

  @Test
  @DisplayName("and in one line where it quotes a name with a line break")
  void lineBreak() {
    Throwable below = new RedisResponseTimeoutException(QUOTED);
    Throwable failure = new CompletionException(below);
    LockStoreException told = RedissonFailures.of(failure, "Could not");
    assertEquals(Kind.TIMED_OUT, told.kind());
    StringWriter trace = new StringWriter();
    told.printStackTrace(new PrintWriter(trace, true));
    List<String> lines = trace.toString().lines().toList();
    assertTrue(
        lines.contains(
            "Caused by: " + below.getClass().getName() + ": " + QUOTED.replace("\n", "\\n")),
        trace::toString);
    assertTrue(lines.stream().noneMatch(line -> line.startsWith("ERROR")), trace::toString);
    Throwable cause = Objects.requireNonNull(told.getCause());
    assertInstanceOf(RedisException.class, cause);
    assertArrayEquals(failure.getStackTrace(), cause.getStackTrace());
  }
}
