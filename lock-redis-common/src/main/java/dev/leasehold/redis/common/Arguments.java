package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Keys or arguments of a script where their number differs from call to call, in the order of the
 * script's header. Not thread-safe.
 */
final class Arguments {
  /**
   * For how long the server keeps a lock for the waiter that it woke: on a busy machine the way to
   * the lock may take a tenth of that. A waiter that is paused costs the others so much, once, and
   * less than the longest pause between two questions.
   */
  static final byte[] KEPT = ascii("500");

  /** So many are {@link #serving}. */
  static final int SERVING = 5;

  private final byte[][] all;
  private int size;

  /** Room for exactly so many. */
  Arguments(int count) {
    all = new byte[count][];
  }

  /** The next one. */
  Arguments add(byte[] argument) {
    all[size++] = argument;
    return this;
  }

  /** The next one. */
  Arguments add(String text) {
    return add(ascii(text));
  }

  /** The next one. */
  Arguments add(long number) {
    return add(ascii(number));
  }

  /** All of another script's. */
  Arguments addAll(byte[][] arguments) {
    System.arraycopy(arguments, 0, all, size, arguments.length);
    size += arguments.length;
    return this;
  }

  /**
   * The {@value #SERVING} by which a script serves the line: how it publishes, and for how long it
   * keeps.
   */
  Arguments serving(Publishing how) {
    return add(how.command()).add(how.prefix()).add(how.message()).add(how.counts()).add(KEPT);
  }

  /** All of them. */
  byte[][] all() {
    if (size != all.length) {
      throw new IllegalStateException(size + " arguments of " + all.length);
    }
    return all;
  }

  static byte[] ascii(long number) {
    return ascii(Long.toString(number));
  }

  static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
