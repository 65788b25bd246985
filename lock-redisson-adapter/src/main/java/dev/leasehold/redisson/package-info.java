/**
 * The backend {@code redisson}: Redisson's locks behind this API, on the application's own client.
 * A plain {@code RLock} and a lock of ours with the same name on the same server exclude each
 * other.
 *
 * <pre>
 * name                             hash: holder -> hold count, with a time to live        (Redisson's)
 * redisson_lock__channel:{name}    channel: "0" at each unlock                            (Redisson's)
 * redisson_lock_queue:{name}       list: waiters for a fair lock, in order                (Redisson's)
 * redisson_lock_timeout:{name}     sorted set: when each waiter's place expires           (Redisson's)
 * lh:{name}:fence                  string: the latest fencing token, as in numbers.lua    (ours)
 *
 * a read/write lock:
 * name                             hash: mode, holder -> hold count, with a time to live  (Redisson's)
 * {name}:holder:rwlock_timeout:n   exists as long as that hold                            (Redisson's)
 * redisson_rwlock:{name}           channel: "0" after the last reader, "1" after a writer (Redisson's)
 * lh:{name}:rw:fences              hash of two counters, as in readwrite-fence.lua        (ours)
 *
 * a semaphore:
 * name                             string: number of free permits                         (Redisson's)
 * {name}:timeout                   sorted set: when each held permit expires              (Redisson's)
 * redisson_sc:{name}               channel: number of free permits                        (Redisson's)
 * lh:{name}:permits:door           string: a waiter for many permits                      (ours)
 *
 * a latch:
 * name                             string: the remaining count; none at zero              (Redisson's)
 * redisson_countdownlatch__channel__{name}   channel: "0" at zero, "1" when it is opened  (Redisson's)
 * lh:{name}:latch:round            hash: distinguishes an expired latch from one at zero  (ours)
 * lh:{name}:latch:once             sorted set: our count-downs, by server time            (ours)
 *
 * RedissonLocks, RedissonBackend   the public API
 *   RedissonView                   what all kinds share: acquiring, releasing and renewing a lease
 *   RLockStore, FairStore          one script for each operation, over their parts:
 *   StoreOfKinds                   the plain one, with its views:
 *     SideView                     the sides of read/write locks
 *     PermitView                   semaphores
 *     RedissonLatchView            latches
 *     Keys                         the keys above
 *     Scripts, RedissonScript      sends Lua by the client, once, without repeating
 *     ReplicaSync                  waits for replicas where RLock does
 *     Unlocks                      listens on Redisson's own subscriptions
 * </pre>
 *
 * <p>A plain holder is {@code <uuid>:<thread>}; ours is the lease's token, {@code label:secret},
 * with hold count 1: the actual count is kept inside the process.
 */
@NullMarked
package dev.leasehold.redisson;

import org.jspecify.annotations.NullMarked;
