package dev.leasehold.guice;

import dev.leasehold.lock.LockOptions;

/**
 * A manager's default options, under a type that no application binds.
 *
 * @param manager the provider, which knows whether the manager is open
 */
record ManagerOptions(LockOptions options, ManagerProvider manager) {}
