package dev.leasehold.testkit.proxy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A complete value as received, including a preceding attribute.
 *
 * @param bytes the bytes to pass on
 * @param start where the value itself starts, after an attribute
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier: never compared
record Frame(byte[] bytes, int start) {

  /** The type's character: {@code +} for a status, {@code *} for an array, and so on. */
  char type() {
    return (char) bytes[start];
  }

  /**
   * The first elements of a flat array or push as text, up to the first element of another type.
   */
  List<String> elements(int most) {
    List<String> elements = new ArrayList<>();
    int at = start;
    int left = Math.min(number(at), most);
    at = next(at);
    while (elements.size() < left && at < bytes.length) {
      int end = next(at);
      switch (bytes[at]) {
        case '$', '=' -> {
          int length = number(at);
          if (length < 0) {
            elements.add("");
          } else {
            elements.add(new String(bytes, end, length, StandardCharsets.UTF_8));
            end += length + 2;
          }
        }
        case '+', ':', '_' ->
            elements.add(new String(bytes, at + 1, end - at - 3, StandardCharsets.UTF_8));
        default -> {
          return elements;
        }
      }
      at = end;
    }
    return elements;
  }

  private int number(int at) {
    String text = new String(bytes, at + 1, next(at) - at - 3, StandardCharsets.US_ASCII);
    return text.equals("?") ? Integer.MAX_VALUE : Integer.parseInt(text);
  }

  /** The end of the line that starts here. */
  private int next(int at) {
    int end = at;
    while (bytes[end] != '\n') {
      end++;
    }
    return end + 1;
  }
}
