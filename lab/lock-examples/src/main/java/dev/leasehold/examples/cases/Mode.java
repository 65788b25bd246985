package dev.leasehold.examples.cases;

/** With what an example shows, or without it. */
public enum Mode {
  /** As one should. */
  GUARDED,
  /** As one should not, to see the difference. */
  BARE
}
