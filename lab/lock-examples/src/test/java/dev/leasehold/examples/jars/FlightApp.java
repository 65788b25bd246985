package dev.leasehold.examples.jars;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.BlockingLeaseStore;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Takes a lock of a store that grants every request, with lock-api alone. */
public final class FlightApp {
  private FlightApp() {}

  /** Prints whether the running JDK has Flight Recorder. */
  public static void main(String[] args) throws InterruptedException {
    try (LockManager locks = LockManager.over(new Granting()).build();
        Lease lease = locks.lock("flight").acquire()) {
      System.out.println(
          (lease.isValid() ? "locked, " : "not valid, ")
              + (ModuleLayer.boot().findModule("jdk.jfr").isPresent() ? "jdk.jfr" : "no jdk.jfr"));
    }
  }

  private static final class Granting extends BlockingLeaseStore {
    @Override
    protected AcquireResult acquireNow(AcquireRequest request) {
      return new AcquireResult.Granted(OptionalLong.empty(), 0, request.ttl());
    }

    @Override
    protected RenewResult renewNow(RenewRequest request) {
      return RenewResult.RENEWED;
    }

    @Override
    protected ReleaseResult releaseNow(LeaseKey lease) {
      return ReleaseResult.RELEASED;
    }

    @Override
    protected Optional<StoredLease> inspectNow(String name) {
      return Optional.empty();
    }

    @Override
    public Set<Guarantee> guarantees() {
      return Set.of();
    }

    @Override
    public void close() {}
  }
}
