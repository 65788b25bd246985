/**
 * Distributed locks as leases: the API for applications, the SPIs for backends, and the
 * store-neutral engine between them.
 *
 * <p>Applications use {@link dev.leasehold.lock}; backends implement {@link
 * dev.leasehold.lock.spi}. The engine is not exported. The module needs {@code java.base} alone;
 * where {@code jdk.jfr} is present, lock activity is recorded in flight recordings.
 */
module dev.leasehold.lock {
  // Not transitive: a module that requires this one must compile without the annotations.
  requires static com.google.errorprone.annotations;
  requires static org.jspecify;
  // Optional: where the run-time image has it, lock activity appears in flight recordings.
  requires static jdk.jfr;

  exports dev.leasehold.lock;
  exports dev.leasehold.lock.spi;
  exports dev.leasehold.lock.spi.quorum;

  uses dev.leasehold.lock.spi.LockBackend;
  uses dev.leasehold.lock.spi.LeaseRenewer;
  uses dev.leasehold.lock.spi.quorum.QuorumPolicy;
  uses dev.leasehold.lock.LockListener;
}
