package dev.leasehold.lock.internal;

/** What latches use of a manager. */
record Env(Timing time, Terms terms, StoreOperations store, Events events, Lifecycle lifecycle) {}
