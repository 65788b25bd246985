package dev.leasehold.redlock;

/** What a node may know of a token. */
enum Trace {
  NEVER,
  PERHAPS,
  GRANTED,
  NOTHING
}
