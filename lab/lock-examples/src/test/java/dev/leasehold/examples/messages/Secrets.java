package dev.leasehold.examples.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.testkit.Heard;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Passwords with a special character in the middle, so that a truncated one is detected by either
 * half.
 */
final class Secrets {
  static final String USER = "app";
  static final String HALF = "hunter2";
  static final String OTHER_HALF = "sw0rdfish";
  static final List<String> SIGNS = List.of("", "/", "#", "?", "@", ":", ",", "&", "%40");

  /** Valid addresses without a server. P is the password. */
  static final List<String> RIGHT =
      List.of(
          "redis://app:P@127.0.0.1:1",
          "rediss://:P@127.0.0.1:1/3",
          "redis-sentinel://P@127.0.0.1:1#primary");

  /** Addresses with one mistake each. */
  static final List<String> WRONG =
      List.of(
          "redis-sentinel://app:P@127.0.0.1:1",
          "redis://app:P@127.0.0.1:1#primary",
          "redis://app:P@127.0.0.1:x",
          "redis://app:P@127.0.0.1:1?timeout=2s",
          "redis://app:P@",
          "redis://app:P%40127.0.0.1:1",
          "redis:/app:P@127.0.0.1:1",
          "redis:app:P@127.0.0.1:1",
          "app:P@127.0.0.1:1",
          "//app:P@127.0.0.1:1",
          "://app:P@127.0.0.1:1",
          "http://app:P@127.0.0.1:1",
          "redis-socket://app:P@nowhere.sock",
          "redis://app:P@127.0.0.1: 1",
          "redis://127.0.0.1:1?password=P",
          "redis://127.0.0.1:1?username=P&password=P",
          "redis://127.0.0.1:1/0?timeout=2s&password=P",
          "redis://app:P@127.0.0.1:1?user=P",
          "redis://127.0.0.1:1?anything=P",
          "redis-sentinel://127.0.0.1:1?password=P#primary",
          "127.0.0.1:1?password=P");

  private Secrets() {}

  /** One password per special character. */
  static Stream<String> passwords() {
    return SIGNS.stream().map(sign -> HALF + sign + OTHER_HALF);
  }

  /** Asserts that no half of a password was heard. */
  static void assertNothingIn(Heard heard, String how) {
    for (String half : List.of(HALF, OTHER_HALF)) {
      assertEquals(Optional.empty(), heard.around(half), how);
    }
  }
}
