/**
 * A {@code LockRegistry} for Spring Integration: {@link
 * dev.leasehold.spring.integration.LeaseholdLockRegistry}.
 */
// Spring's jars are automatic modules, whose dependencies are not resolved automatically.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.leasehold.spring.integration {
  requires transitive dev.leasehold.lock;
  requires transitive spring.integration.core;
  requires spring.context;
  requires spring.core;
  requires static org.jspecify;

  exports dev.leasehold.spring.integration;
}
