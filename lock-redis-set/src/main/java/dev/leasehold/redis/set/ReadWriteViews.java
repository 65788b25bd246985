package dev.leasehold.redis.set;

import dev.leasehold.redis.common.ReadWriteScripts;

/** What the sides of a store's read/write locks share. Thread-safe. */
record ReadWriteViews(
    Redis redis, WakeChannel channel, ReadWriteScripts scripts, StoreOptions options) {}
