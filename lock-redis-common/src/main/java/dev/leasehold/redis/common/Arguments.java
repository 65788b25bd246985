package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * A variable number of keys or arguments of a script, in the order of the script's header. Not
 * thread-safe.
 */
public final class Arguments {
  /**
   * How many milliseconds the server reserves a lock for the waiter that it woke. On a busy
   * machine, the waiter's request may take a tenth of that. A waiter that is paused delays the
   * others by this much, once, which is less than the longest pause between two requests.
   */
  static final byte[] KEPT = ascii("500");

  /** The number of arguments that {@link #serving} adds. */
  static final int SERVING = 5;

  /** The number of arguments that {@link #recalling} adds: the first ones of {@link #serving}. */
  static final int RECALLING = 3;

  private final byte[][] all;
  private int size;

  /** Room for exactly this many. */
  Arguments(int count) {
    all = new byte[count][];
  }

  /** Appends an argument. */
  Arguments add(byte[] argument) {
    all[size++] = argument;
    return this;
  }

  /** Appends an argument. */
  Arguments add(String text) {
    return add(ascii(text));
  }

  /** Appends an argument. */
  Arguments add(long number) {
    return add(ascii(number));
  }

  /** Appends all arguments of another script. */
  Arguments addAll(byte[][] arguments) {
    System.arraycopy(arguments, 0, all, size, arguments.length);
    size += arguments.length;
    return this;
  }

  /**
   * Appends the {@value #SERVING} arguments of a script that wakes waiters: how it publishes, and
   * for how long it reserves the lock.
   */
  Arguments serving(Publishing how) {
    return recalling(how).add(how.counts()).add(KEPT);
  }

  /** Appends the {@value #RECALLING} arguments of a script that recalls a lease. */
  Arguments recalling(Publishing how) {
    return add(how.command()).add(how.prefix()).add(how.message());
  }

  /** All of them, in order. */
  byte[][] all() {
    if (size != all.length) {
      throw new IllegalStateException(size + " arguments of " + all.length);
    }
    return all;
  }

  /** A number as scripts and commands take it. */
  public static byte[] ascii(long number) {
    return ascii(Long.toString(number));
  }

  /** A token or a number as scripts and commands take it. */
  public static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
