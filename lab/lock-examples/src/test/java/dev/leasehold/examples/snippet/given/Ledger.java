package dev.leasehold.examples.snippet.given;

/** The resource that examples guard; rejects fencing tokens lower than one it has seen. */
public interface Ledger {
  void append(String entry, long fencingToken);
}
