package dev.leasehold.lock.spi.quorum;

import dev.leasehold.lock.spi.LeaseStore;

/** A store on one server that can be distinguished from other servers. */
public interface IdentifiedStore extends LeaseStore {

  /**
   * Identifies the server and its current run, as Redis's {@code run_id} does. Two addresses of one
   * server have the same identity; a restarted server has a new one. Does not block: returns the
   * last known value.
   */
  String serverId();
}
