package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockStoreException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells that Redis can't be reached, or refuses, when the application starts. */
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<LockStoreException> {

  StoreFailureAnalyzer() {}

  @Override
  protected FailureAnalysis analyze(Throwable failure, LockStoreException cause) {
    return new FailureAnalysis(
        "Leasehold could not open its locks: " + cause.getMessage(),
        "Look whether Redis runs and may be reached from here. The connection is the application's"
            + " own (spring.data.redis.*, or the bean that makes it), unless leasehold.redis.uri"
            + " names another. Locks are not used at all with leasehold.enabled = false.",
        cause);
  }
}
