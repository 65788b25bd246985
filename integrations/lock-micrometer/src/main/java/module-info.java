/**
 * Metrics and traces of locks by Micrometer: {@link dev.leasehold.micrometer.LockMetrics}, {@link
 * dev.leasehold.micrometer.LockObservations}.
 */
// Micrometer is an automatic module under a stable name.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.leasehold.micrometer {
  requires transitive dev.leasehold.lock;
  requires micrometer.commons;
  requires transitive micrometer.core;
  requires transitive micrometer.observation;
  requires static org.jspecify;

  exports dev.leasehold.micrometer;
}
