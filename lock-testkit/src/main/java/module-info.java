/**
 * The test kit: a conformance suite for lock backends, real servers to run it against, faults, a
 * checker for histories, a simulated world, and a report.
 */
module dev.leasehold.testkit {
  requires transitive dev.leasehold.lock;
  requires java.logging;
  requires transitive org.junit.jupiter.api;
  requires static org.jspecify;

  exports dev.leasehold.testkit;
  exports dev.leasehold.testkit.fault;
  exports dev.leasehold.testkit.history;
  exports dev.leasehold.testkit.node;
  exports dev.leasehold.testkit.proxy;
  exports dev.leasehold.testkit.report;
  exports dev.leasehold.testkit.server;
  exports dev.leasehold.testkit.sim;
  exports dev.leasehold.testkit.view;
  exports dev.leasehold.testkit.worker;

  uses dev.leasehold.lock.spi.LockBackend;
  uses dev.leasehold.lock.spi.quorum.QuorumPolicy;
}
