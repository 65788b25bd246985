package dev.leasehold.testkit.proxy;

/** One of the two ways through the proxy. */
public enum Direction {
  /** From clients to the server. */
  REQUESTS,
  /** From the server to clients. */
  REPLIES
}
