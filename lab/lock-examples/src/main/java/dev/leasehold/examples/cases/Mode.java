package dev.leasehold.examples.cases;

/** With the technique that an example shows, or without it. */
public enum Mode {
  /** The recommended way. */
  GUARDED,
  /** Without it, for comparison. */
  BARE
}
