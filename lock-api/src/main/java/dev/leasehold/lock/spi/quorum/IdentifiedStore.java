package dev.leasehold.lock.spi.quorum;

import dev.leasehold.lock.spi.LeaseStore;

/** A store on one server, which can be told from other servers. */
public interface IdentifiedStore extends LeaseStore {

  /**
   * Which run of which server this is: Redis's {@code run_id}. Two names of one server have one
   * identity; a server that was started again has another one. Does not block; what was last known.
   */
  String serverId();
}
