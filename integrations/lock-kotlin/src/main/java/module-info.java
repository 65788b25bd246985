/** Locks for coroutines. */
module dev.leasehold.kotlin {
  requires transitive dev.leasehold.lock;
  requires transitive kotlin.stdlib;
  requires kotlinx.coroutines.core;

  exports dev.leasehold.kotlin;
}
