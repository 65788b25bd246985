package dev.leasehold.lock.internal;

import dev.leasehold.lock.*;
import dev.leasehold.lock.spi.*;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

public final class EngineBuilder implements LockManager.Builder {
  public EngineBuilder(LeaseStore store) {}

  public LockManager.Builder defaults(LockOptions o) {
    return this;
  }

  public LockManager.Builder renewer(LeaseRenewer r) {
    return this;
  }

  public LockManager.Builder ticker(Ticker t) {
    return this;
  }

  public LockManager.Builder scheduler(Scheduler s) {
    return this;
  }

  public LockManager.Builder executor(Executor e) {
    return this;
  }

  public LockManager.Builder random(RandomGenerator r) {
    return this;
  }

  public LockManager.Builder tokenRandom(RandomGenerator r) {
    return this;
  }

  public LockManager.Builder listener(LockListener l) {
    return this;
  }

  public LockManager.Builder label(String l) {
    return this;
  }

  public LockManager.Builder commandTimeout(Duration d) {
    return this;
  }

  public LockManager.Builder storeTimeout(Duration d) {
    return this;
  }

  public LockManager.Builder closeGrace(Duration d) {
    return this;
  }

  public LockManager build() {
    throw new IllegalStateException("follows");
  }
}
