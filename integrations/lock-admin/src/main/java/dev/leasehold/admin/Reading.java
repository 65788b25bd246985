package dev.leasehold.admin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.leasehold.redis.common.StoredFence;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Parses parts of the scripts' replies. Bytes become text with one character per byte. */
final class Reading {
  private static final long NO_END = -1;

  private Reading() {}

  static List<?> list(@Nullable Object reply) {
    return reply instanceof List<?> list ? list : List.of();
  }

  static @Nullable Object at(List<?> list, int i) {
    return i < list.size() ? list.get(i) : null;
  }

  static Optional<String> text(@Nullable Object reply) {
    return reply instanceof byte[] bytes
        ? Optional.of(new String(bytes, ISO_8859_1))
        : Optional.empty();
  }

  static long number(@Nullable Object reply) {
    return reply instanceof Long number ? number : 0;
  }

  /** Parses a whole number of up to nine digits that is stored as text. */
  static OptionalInt count(@Nullable Object reply) {
    return text(reply)
        .filter(digits -> digits.matches("\\d{1,9}"))
        .map(digits -> OptionalInt.of(Integer.parseInt(digits)))
        .orElse(OptionalInt.empty());
  }

  static double score(@Nullable Object reply) {
    try {
      return Double.parseDouble(text(reply).orElse("0"));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Parses a time to live in milliseconds; empty if there is no end. */
  static Optional<Duration> remaining(@Nullable Object pttl) {
    long left = number(pttl);
    return left == NO_END ? Optional.empty() : Optional.of(Duration.ofMillis(Math.max(0, left)));
  }

  /** Returns the first number of a fence, which is that of the store's grant. */
  static OptionalLong fence(@Nullable Object stored) {
    return text(stored)
        .flatMap(StoredFence::parse)
        .map(fence -> OptionalLong.of(fence.first()))
        .orElse(OptionalLong.empty());
  }

  /** Returns when a number was drawn, which is its value in microseconds. */
  static Optional<Instant> since(OptionalLong fence) {
    return fence.isPresent()
        ? Optional.of(Instant.EPOCH.plus(fence.getAsLong(), ChronoUnit.MICROS))
        : Optional.empty();
  }
}
