package dev.leasehold.redis.set;

/** A connection that is never made anew, and so leads to one run of one server. Thread-safe. */
interface ServerRun extends Sender {

  /** Of that run. */
  String runId();
}
