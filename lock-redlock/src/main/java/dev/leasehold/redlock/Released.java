package dev.leasehold.redlock;

import dev.leasehold.lock.spi.ReleaseResult;
import org.jspecify.annotations.Nullable;

/** What came of a release on one node. */
record Released(Member node, @Nullable ReleaseResult result, @Nullable Throwable failure) {}
