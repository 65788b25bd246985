package dev.leasehold.redis.set;

/**
 * A connection that is never re-established, and so leads to one run of one server. Thread-safe.
 */
interface ServerRun extends Sender {

  /** The run's id. */
  String runId();
}
