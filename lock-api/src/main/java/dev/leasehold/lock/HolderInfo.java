package dev.leasehold.lock;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * The holder of a lock at the time the store was asked.
 *
 * @param lockName name of the lock
 * @param holder the label of the holder's manager; for a foreign client, the first characters of
 *     the value it wrote. Never enough to release the lock. While a {@linkplain
 *     LockOptions#atLeast() minimum hold} outlasts its release, the former holder
 * @param remaining time to expiry on the store when it answered; longer than any lease, some 292
 *     years, if another program wrote the value and gave it no end
 * @param fencingToken fencing token of the store's latest grant, where the store keeps one; holds
 *     handed over within a process have larger ones, below that of the next grant. On a quorum it
 *     may be smaller than the holder's token, which is the largest vote of its majority; it can be
 *     larger only where nodes have forgotten the lock and granted it again since
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
