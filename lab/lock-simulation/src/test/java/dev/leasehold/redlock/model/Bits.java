package dev.leasehold.redlock.model;

/** Small numbers in a long, first in, first out. */
final class Bits {
  private long bits;
  private int used;

  Bits(long bits) {
    this.bits = bits;
  }

  Bits put(int number, int width) {
    if (number >>> width != 0 || used + width > Long.SIZE) {
      throw refusal(number, width);
    }
    bits |= (long) number << used;
    used += width;
    return this;
  }

  private IllegalStateException refusal(int number, int width) {
    return new IllegalStateException(number + " in " + width + " bits after " + used);
  }

  int take(int width) {
    int number = (int) (bits >>> used) & ((1 << width) - 1);
    used += width;
    return number;
  }

  long value() {
    return bits;
  }
}
