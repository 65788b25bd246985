package dev.leasehold.redis.setnx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The foreign formats")
class TimestampFormatTest {
  private static final long SECOND = 1_000_000;

  @ParameterizedTest(name = "{0}: {1} us and {2} ms are written {3}")
  @DisplayName("are written as those clients write them")
  @CsvSource({
    "YII2, 1700000000000000, 10000, 1700000010",
    "YII2, 1700000000999999, 10000, 1700000010",
    "YII2, 1700000000999999, 10001, 1700000011",
    "YII2, 1700000000000000, 1, 1700000001",
    "SECONDS, 1700000000000000, 10000, 1700000011",
    "SECONDS, 1700000000999999, 9001, 1700000011",
    "MILLIS, 1700000000000999, 10000, 1700000010000",
    "MILLIS, 1700000000001000, 10000, 1700000010001",
    "REDIS_OBJECTS, 1700000000000000, 10000, 1700000011.0",
    "REDIS_OBJECTS, 1700000000250000, 10000, 1700000011.25",
    "REDIS_OBJECTS, 1700000000000001, 10000, 1700000011.000001",
    "REDIS_OBJECTS, 1700000000654321, 1500, 1700000003.154321",
  })
  void written(TimestampFormat format, long micros, long lease, String text) {
    assertEquals(text, new String(format.write(micros, Duration.ofMillis(lease)), UTF_8));
  }

  @ParameterizedTest(name = "{0}: {1} is over from {2} us on")
  @DisplayName("are over when those clients say so")
  @CsvSource({
    "YII2, 1700000010, 1700000011000000",
    "SECONDS, 1700000010, 1700000011000000",
    "MILLIS, 1700000010000, 1700000010001000",
    "REDIS_OBJECTS, 1700000010.0, 1700000010000001",
    "REDIS_OBJECTS, 1700000010, 1700000010000001",
    "REDIS_OBJECTS, 1700000010.25, 1700000010250001",
    "REDIS_OBJECTS, 1700000010.1234567, 1700000010123457",
  })
  void over(TimestampFormat format, String text, long micros) {
    assertEquals(OptionalLong.of(micros), format.over(text));
  }

  @ParameterizedTest(name = "{0}: ''{1}''")
  @DisplayName("refuse what they would not write, and other units")
  @CsvSource({
    "YII2, ''",
    "YII2, 1",
    "YII2, -1700000010",
    "YII2, 1700000010.0",
    "YII2, 1700000010000",
    "YII2, app:0123456789012345678901",
    "YII2, 99999999999999999999",
    "SECONDS, 1700000010000",
    "SECONDS, ' 1700000010'",
    "MILLIS, 1700000010",
    "MILLIS, 1700000010000.5",
    "MILLIS, 99999999999999999999",
    "REDIS_OBJECTS, 1700000010000",
    "REDIS_OBJECTS, 1.70000001E9",
    "REDIS_OBJECTS, true",
  })
  void strange(TimestampFormat format, String text) {
    assertEquals(OptionalLong.empty(), format.over(text));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("grant no more than their readers respect, also those that test 'or equal'")
  void neverLess(TimestampFormat format) {
    for (long offset = 0; offset < SECOND; offset += 7_919) {
      long now = 1_700_000_000 * SECOND + offset;
      for (long lease : new long[] {10, 999, 1000, 1001, 30_000}) {
        long over = format.over(format.write(now, Duration.ofMillis(lease))).orElseThrow();
        long held = over - now - lease * 1000;
        assertEquals(true, held >= 0, () -> format + " " + now + " " + lease);
        boolean rounds = format == TimestampFormat.YII2 || format == TimestampFormat.SECONDS;
        assertEquals(true, held <= (rounds ? 3 : 1) * SECOND + 1000, () -> format + " " + held);
      }
    }
  }
}
