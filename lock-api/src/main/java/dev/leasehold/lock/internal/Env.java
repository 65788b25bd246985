package dev.leasehold.lock.internal;

/**
 * What the parts of one manager share, cut by who needs it. Whole it is seen only where rooms are
 * put together ({@link EngineBuilder}, {@link Engine}, {@link LockCell}); each room asks for the
 * parts that it uses.
 */
record Env(
    Timing time,
    Terms terms,
    StoreOperations store,
    Renewals renewals,
    Events events,
    EngineLog log,
    Lifecycle lifecycle) {}
