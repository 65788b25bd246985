/**
 * Methods that run under a lock, by annotation: {@link dev.leasehold.methods.Locked}, for any
 * framework that creates objects.
 */
// Reactor is an automatic module under a stable name.
@SuppressWarnings("requires-automatic")
module dev.leasehold.methods {
  requires transitive dev.leasehold.lock;
  requires static org.jspecify;
  requires static org.reactivestreams;
  requires static reactor.core;

  exports dev.leasehold.methods;
  exports dev.leasehold.methods.spi;
}
