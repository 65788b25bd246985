package dev.leasehold.guice;

import dev.leasehold.lock.LockManager;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Closes the lock managers of an injector when the application ends.
 *
 * <p>Guice has no life cycle, so an application says itself when it ends. Inject this class and
 * close it there, last of what uses locks. Unless a module says otherwise ({@link
 * LeaseholdModule#closedByHand()}), a shutdown hook of the JVM does it too, for whoever forgets. It
 * runs when the JVM is told to end, or when no thread keeps it up; a client's own may, as
 * Redisson's do.
 *
 * <p>Only managers that were made are closed; none is made for it. Thread-safe.
 */
public final class LockManagers implements AutoCloseable {
  private final ReentrantLock guard = new ReentrantLock();
  private final Deque<LockManager> open = new ArrayDeque<>();
  private @Nullable Thread hook;
  private boolean closed;

  LockManagers() {}

  /** Takes a manager in; one that comes after the end is closed at once. */
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
      closed = true; // too late for a hook: nobody else would close it
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
        // It runs already, finds nothing to close, and ends.
      }
    }
  }

  /** When managers are closed at the latest. */
  enum Closing {
    WITH_THE_JVM,
    BY_HAND
  }
}
