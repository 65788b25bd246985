package dev.leasehold.lock.internal.lease;

import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.calls.Terms;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Timing;

/** What latches use of a manager. */
public record Env(
    Timing time, Terms terms, StoreOperations store, Events events, Lifecycle lifecycle) {}
