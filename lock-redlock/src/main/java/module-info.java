/**
 * The backend {@code redlock}: a quorum of independent nodes, each a {@link
 * dev.leasehold.lock.spi.LeaseStore} of its own.
 */
module dev.leasehold.redlock {
  requires transitive dev.leasehold.lock;
  requires static org.jspecify;

  exports dev.leasehold.redlock;

  uses dev.leasehold.lock.spi.LockBackend;
  uses dev.leasehold.lock.spi.quorum.QuorumPolicy;

  provides dev.leasehold.lock.spi.LockBackend with
      dev.leasehold.redlock.RedlockBackend;
}
