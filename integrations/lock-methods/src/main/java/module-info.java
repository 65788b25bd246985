/**
 * Methods under a lock by annotation: {@link dev.leasehold.methods.Locked}, for all frameworks that
 * make objects.
 */
module dev.leasehold.methods {
  requires transitive dev.leasehold.lock;
  requires static org.jspecify;

  exports dev.leasehold.methods;
  exports dev.leasehold.methods.spi;
}
