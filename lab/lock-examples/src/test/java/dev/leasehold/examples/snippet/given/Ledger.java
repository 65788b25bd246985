package dev.leasehold.examples.snippet.given;

/** What the examples guard: something that refuses a fencing token lower than one it has seen. */
public interface Ledger {
  void append(String entry, long fencingToken);
}
