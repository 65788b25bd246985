package dev.leasehold.guice;

import dev.leasehold.lock.LockManager;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Closes the lock managers of an injector when the application ends.
 *
 * <p>Guice has no life cycle, so the application must close this class itself when it ends, after
 * everything that uses locks: inject it there. As a fallback, a JVM shutdown hook closes it too,
 * unless a module is {@linkplain LeaseholdModule#closedByHand() closed by hand}. The hook runs when
 * the JVM is asked to end or when its last non-daemon thread ends; a client's own threads may
 * prevent that, as Redisson's do.
 *
 * <p>Closes only managers that have been created. Thread-safe.
 */
public final class LockManagers implements AutoCloseable {
  private final ReentrantLock guard = new ReentrantLock();
  private final Deque<LockManager> open = new ArrayDeque<>();
  private @Nullable Thread hook;
  private boolean closed;

  LockManagers() {}

  /** Registers a manager; one registered after the end is closed at once. */
  LockManager add(LockManager manager, Closing closing) {
    guard.lock();
    try {
      if (!closed) {
        open.push(manager);
        if (closing == Closing.WITH_THE_JVM && hook == null) {
          Thread thread = new Thread(this::close, "leasehold-shutdown");
          Runtime.getRuntime().addShutdownHook(thread);
          hook = thread;
        }
        return manager;
      }
    } catch (IllegalStateException shuttingDown) {
      closed = true; // too late for a hook, so the manager would stay open
    } finally {
      guard.unlock();
    }
    manager.close();
    return manager;
  }

  /**
   * Closes all managers, the latest first, as {@link LockManager#close()} does. Blocks for at most
   * their grace and command time-outs. Idempotent.
   */
  @Override
  public void close() {
    Deque<LockManager> last;
    guard.lock();
    try {
      closed = true;
      last = new ArrayDeque<>(open);
      open.clear();
      removeHook();
    } finally {
      guard.unlock();
    }
    last.forEach(LockManager::close);
  }

  private void removeHook() {
    Thread thread = hook;
    hook = null;
    if (thread != null && thread != Thread.currentThread()) {
      try {
        Runtime.getRuntime().removeShutdownHook(thread);
      } catch (IllegalStateException shuttingDown) {
        // The hook is running already, finds nothing to close, and ends.
      }
    }
  }

  /** Closes the managers at JVM shutdown at the latest. */
  enum Closing {
    WITH_THE_JVM,
    BY_HAND
  }
}
