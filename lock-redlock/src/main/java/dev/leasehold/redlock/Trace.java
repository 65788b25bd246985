package dev.leasehold.redlock;

/** What a node may hold of a token. */
enum Trace {
  NEVER,
  PERHAPS,
  GRANTED,
  NOTHING
}
