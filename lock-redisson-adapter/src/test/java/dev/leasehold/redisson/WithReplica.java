package dev.leasehold.redisson;

import dev.leasehold.testkit.server.RedisReplication;
import dev.leasehold.testkit.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** A primary with a replica, empty and in step before each test. */
abstract class WithReplica {
  static RedisReplication group;
  static RedisServer replica;

  @BeforeAll
  static void start() {
    group = RedisReplication.start(1);
    replica = group.replicas().get(0);
  }

  @AfterAll
  static void stop() {
    group.close();
  }

  @AfterEach
  void mend() {
    replica.resume();
    group.primary().call("FLUSHALL");
    replica.replicaOf(group.primary());
    group.awaitInSync();
  }
}
