package dev.leasehold.redisson;

import dev.leasehold.lock.spi.LockBackend;
import java.util.ServiceLoader;

/**
 * Whether lock-redlock is on the path. Where this module is built it is not, so that the two are
 * built side by side; {@code lab/lock-clients} has both, and runs what needs both.
 */
final class QuorumOnPath {
  static final String ELSEWHERE = "lab/lock-clients runs it: lock-redlock is not on this path";

  private QuorumOnPath() {}

  static boolean isOnThePath() {
    return ServiceLoader.load(LockBackend.class).stream()
        .anyMatch(backend -> backend.type().getName().startsWith("dev.leasehold.redlock."));
  }
}
