package dev.leasehold.testkit.server;

/** The role of a process of the server's binary. */
enum ServerRole {
  SINGLE,
  SENTINEL,
  CLUSTER_NODE
}
