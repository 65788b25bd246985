package dev.leasehold.redlock;

import dev.leasehold.lock.spi.ReleaseResult;
import org.jspecify.annotations.Nullable;

/** The outcome of a release on one node. */
record Released(Member node, @Nullable ReleaseResult result, @Nullable Throwable failure) {}
