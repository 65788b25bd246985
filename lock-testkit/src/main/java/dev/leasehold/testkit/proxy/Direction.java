package dev.leasehold.testkit.proxy;

/** A direction through the proxy. */
public enum Direction {
  /** From clients to the server. */
  REQUESTS,
  /** From the server to clients. */
  REPLIES
}
