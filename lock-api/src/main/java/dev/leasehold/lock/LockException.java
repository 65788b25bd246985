package dev.leasehold.lock;

/**
 * The root of what locks throw; unchecked.
 *
 * <p>It is an {@link IllegalMonitorStateException} for one reason: {@link LeaseLostException} must
 * be one, so that code written for {@link java.util.concurrent.locks.ReentrantLock} meets what it
 * knows from {@code unlock()}, and must be in this family, so that one {@code catch} covers it; a
 * Java class has one parent. Catch the kinds below, not this one, wherever the outcomes differ.
 */
public abstract class LockException extends IllegalMonitorStateException {
  private static final long serialVersionUID = 1L;

  LockException(String message, @org.jspecify.annotations.Nullable Throwable cause) {
    super(message);
    if (cause != null) {
      initCause(cause);
    }
  }
}
