package dev.leasehold.testkit.server;

/** What a process of the server's binary is to be. */
enum ServerRole {
  SINGLE,
  SENTINEL,
  CLUSTER_NODE
}
