package dev.leasehold.lock;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Who held a lock when the store was asked.
 *
 * @param lockName name of the lock
 * @param holder the label of the holder's manager; of a foreign client, the first characters of
 *     what it wrote. Never enough to release the lock. While a {@linkplain LockOptions#atLeast()
 *     minimum hold} outlasts its release, still whose it was
 * @param remaining the store's time to expiry when it answered
 * @param fencingToken fencing token of the store's latest grant, where the store keeps one; holds
 *     handed over within a process have larger ones, below the next grant's. On a quorum it is the
 *     largest fence of the nodes that answered first, and may be less than the holder's token: that
 *     is the largest vote of all, which another node may have given. It never is more than it
 */
public record HolderInfo(
    String lockName, String holder, Duration remaining, OptionalLong fencingToken) {
  @Override
  public String toString() {
    return Quoted.record(
        "HolderInfo",
        "lockName",
        lockName,
        "holder",
        holder,
        "remaining",
        remaining,
        "fencingToken",
        fencingToken);
  }
}
