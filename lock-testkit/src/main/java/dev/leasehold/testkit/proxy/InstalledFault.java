package dev.leasehold.testkit.proxy;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A fault and the commands that it applies to. */
final class InstalledFault implements ActiveFault {
  private final CommandMatch match;
  private final CommandFault fault;
  private final int most;
  private final Bell bell;
  private final Consumer<InstalledFault> uninstall;
  private final AtomicInteger hits = new AtomicInteger();
  private final Set<Link> broken = ConcurrentHashMap.newKeySet();
  private volatile boolean removed;

  InstalledFault(
      CommandMatch match,
      CommandFault fault,
      int most,
      Bell bell,
      Consumer<InstalledFault> uninstall) {
    this.match = match;
    this.fault = fault;
    this.most = most;
    this.bell = bell;
    this.uninstall = uninstall;
  }

  CommandFault fault() {
    return fault;
  }

  /** Counts the command if it matches and hits are left. */
  boolean hits(RespCommand command) {
    if (removed || hits.get() >= most || !match.test(command)) {
      return false;
    }
    boolean hit = hits.getAndUpdate(n -> n < most ? n + 1 : n) < most;
    bell.ring();
    return hit;
  }

  /** Marks the connection as unusable; it is cut when the fault ends. */
  void breaks(Link link) {
    broken.add(link);
    if (removed) {
      link.cut();
    }
  }

  boolean isRemoved() {
    return removed;
  }

  @Override
  public int hits() {
    return hits.get();
  }

  @Override
  public boolean awaitHits(int atLeast, Duration atMost) throws InterruptedException {
    return bell.await(() -> hits() >= atLeast, atMost);
  }

  @Override
  public void close() {
    removed = true;
    uninstall.accept(this);
    broken.forEach(Link::cut);
    bell.ring();
  }
}
