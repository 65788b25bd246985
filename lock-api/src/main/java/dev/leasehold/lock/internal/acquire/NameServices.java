package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.handle.HoldCalls;
import dev.leasehold.lock.internal.hold.HoldServices;
import dev.leasehold.lock.internal.name.MonitorServices;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What the entries of all names of one kind share, so that a name costs no memory for it.
 *
 * @param operations calls to the view of the store of the kind
 * @param storeTimeout how long waiters without a time limit bear with a store that fails
 * @param fair whether each waiter sends its own requests
 * @param wakes whether the store wakes waiters
 * @param onIdle called under the mutex of an entry that is no longer needed
 */
record NameServices(
    MonitorServices monitors,
    HoldServices holds,
    HoldCalls.Services handles,
    StoreOperations operations,
    Duration storeTimeout,
    boolean fair,
    boolean wakes,
    Consumer<LockEntry> onIdle) {}
