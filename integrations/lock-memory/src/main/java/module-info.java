/** Locks in memory, for tests of code that uses locks: no server, and time that a test controls. */
module dev.leasehold.memory {
  requires transitive dev.leasehold.lock;
  requires static org.jspecify;

  exports dev.leasehold.memory;

  provides dev.leasehold.lock.spi.LockBackend with
      dev.leasehold.memory.MemoryBackend;
}
