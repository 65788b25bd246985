package dev.leasehold.guice;

import dev.leasehold.lock.LockOptions;

/** A manager's default options, under a type that no application binds. */
record ManagerOptions(LockOptions options) {}
