package dev.leasehold.spring.boot;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Setting;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A manager that is opened by the first call on one of its locks; the lock objects themselves are
 * available before. If opening fails, the call fails, and the next call tries again. Locks are
 * dynamic proxies, so that they support every method of their interfaces, including future ones.
 * Thread-safe.
 */
final class OpenedLater implements InvocationHandler {
  private static final String LAZY = "lazy";

  /** When locks are opened. */
  static final Setting<String> WHEN =
      Setting.choice(
          "lock.open",
          "start",
          List.of("start", LAZY),
          "Whether locks are opened at the start, which fails without their Redis, or at their"
              + " first use.");

  /** Types available without a store. */
  static final List<Class<?>> LOCKS =
      List.of(
          DistributedLock.class,
          DistributedReadWriteLock.class,
          DistributedSemaphore.class,
          DistributedLatch.class,
          Lock.class);

  private final Supplier<LockManager> opens;
  private final Duration patience;
  private final ReentrantLock mutex = new ReentrantLock();
  private @Nullable CompletableFuture<LockManager> opening;
  private boolean closed;

  private OpenedLater(Supplier<LockManager> opens, Duration patience) {
    this.opens = opens;
    this.patience = patience;
  }

  static boolean isWanted(String when) {
    return when.equals(LAZY);
  }

  /**
   * A lazily opened manager.
   *
   * @param patience how long a call waits for the opening, unless it has a shorter wait of its own
   */
  static LockManager manager(Supplier<LockManager> opens, Duration patience) {
    return (LockManager) proxy(LockManager.class, new OpenedLater(opens, patience));
  }

  /** Whether it is a lazy manager that has not been opened: calling it would open it. */
  static boolean isUnopened(LockManager manager) {
    return Proxy.isProxyClass(manager.getClass())
        && Proxy.getInvocationHandler(manager) instanceof OpenedLater later
        && !later.isOpen();
  }

  private static Object proxy(Class<?> type, InvocationHandler handler) {
    return Proxy.newProxyInstance(
        OpenedLater.class.getClassLoader(), new Class<?>[] {type}, handler);
  }

  private boolean isOpen() {
    mutex.lock();
    try {
      return opening != null && opening.isDone() && !opening.isCompletedExceptionally();
    } finally {
      mutex.unlock();
    }
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
      throws Throwable {
    return switch (method.getName()) {
      case "equals" -> given != null && proxy == given[0];
      case "hashCode" -> System.identityHashCode(this);
      case "toString" -> "LockManager[opened at its first use]";
      case "close" -> close();
      default -> answer(new Asked(this, null, method, arguments(given)));
    };
  }

  private static List<@Nullable Object> arguments(@Nullable Object @Nullable [] given) {
    return given == null ? List.of() : Arrays.asList(given.clone());
  }

  private @Nullable Object close() {
    CompletableFuture<LockManager> last;
    mutex.lock();
    try {
      closed = true;
      last = opening;
    } finally {
      mutex.unlock();
    }
    if (last != null) {
      last.handle((open, failure) -> open)
          .thenAccept(
              open -> {
                if (open != null) {
                  open.close();
                }
              })
          .join();
    }
    return null;
  }

  /** The opening; the first caller starts it on a new thread. */
  private CompletableFuture<LockManager> opening() {
    mutex.lock();
    try {
      if (closed) {
        return CompletableFuture.failedFuture(
            new LockManagerClosedException("the lock manager is closed"));
      }
      CompletableFuture<LockManager> last = opening;
      if (last != null && !last.isCompletedExceptionally()) {
        return last;
      }
      CompletableFuture<LockManager> next = new CompletableFuture<>();
      opening = next;
      Thread thread = new Thread(() -> open(next), "leasehold-open");
      thread.setDaemon(true);
      thread.start();
      return next;
    } finally {
      mutex.unlock();
    }
  }

  private void open(CompletableFuture<LockManager> into) {
    try {
      into.complete(opens.get());
    } catch (Throwable failure) {
      into.completeExceptionally(failure);
    }
  }

  /** A call on a manager, or on a lock obtained by such a call. */
  private record Asked(
      OpenedLater manager, @Nullable Asked of, Method method, List<@Nullable Object> arguments)
      implements InvocationHandler {

    @Override
    public @Nullable Object invoke(Object proxy, Method called, @Nullable Object @Nullable [] given)
        throws Throwable {
      return switch (called.getName()) {
        case "equals" -> given != null && isEqual(given[0]);
        case "hashCode" -> hashCode();
        case "toString" -> method.getReturnType().getSimpleName() + arguments;
        case "name" -> name(called);
        default -> manager.answer(new Asked(manager, this, called, OpenedLater.arguments(given)));
      };
    }

    private boolean isEqual(@Nullable Object other) {
      return other != null
          && Proxy.isProxyClass(other.getClass())
          && equals(Proxy.getInvocationHandler(other));
    }

    /** Known without a store, except for several names. */
    private @Nullable Object name(Method called) throws Throwable {
      return of == null && !arguments.isEmpty() && arguments.get(0) instanceof String known
          ? known
          : manager.answer(new Asked(manager, this, called, List.of()));
    }

    @Nullable Object on(LockManager open) throws Throwable {
      Object target = of == null ? open : Objects.requireNonNull(of.on(open));
      try {
        return method.invoke(target, arguments.toArray());
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    /** How long the caller waits. */
    Duration patience() {
      return arguments.stream()
          .filter(Duration.class::isInstance)
          .map(Duration.class::cast)
          .filter(given -> !given.isZero() && given.compareTo(manager.patience) < 0)
          .findFirst()
          .orElse(manager.patience);
    }
  }

  private @Nullable Object answer(Asked asked) throws Throwable {
    Class<?> returned = asked.method().getReturnType();
    if (LOCKS.contains(returned)) {
      return proxy(returned, asked);
    }
    CompletableFuture<LockManager> wanted = opening();
    if (returned == CompletionStage.class && !wanted.isDone()) {
      return later(wanted, asked);
    }
    return asked.on(open(wanted, asked));
  }

  private static LockManager open(CompletableFuture<LockManager> wanted, Asked asked)
      throws InterruptedException {
    boolean interruptible =
        Arrays.asList(asked.method().getExceptionTypes()).contains(InterruptedException.class);
    try {
      // A caller that cannot be interrupted waits until the opening ends, which has its own
      // time-outs.
      return interruptible || wanted.isDone()
          ? wanted.get(asked.patience().toNanos(), TimeUnit.NANOSECONDS)
          : wanted.join();
    } catch (ExecutionException | CompletionException e) {
      throw failed(Objects.requireNonNull(e.getCause()));
    } catch (TimeoutException e) {
      throw new LockStoreException(
          LockStoreException.Kind.TIMED_OUT,
          "Locks are still being opened after " + Setting.written(asked.patience()));
    }
  }

  /** A new exception for each caller, with that caller's stack trace. */
  private static RuntimeException failed(Throwable failure) {
    if (failure instanceof LockStoreException store) {
      return new LockStoreException(store.kind(), String.valueOf(store.getMessage()), store);
    }
    if (failure instanceof LockException own) {
      return own;
    }
    return new IllegalStateException("locks could not be opened", failure);
  }

  private static CompletableFuture<@Nullable Object> later(
      CompletableFuture<LockManager> wanted, Asked asked) {
    CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
    wanted.whenComplete(
        (open, failure) -> {
          if (result.isDone()) {
            return; // cancelled by the caller
          }
          try {
            if (failure != null) {
              throw failed(failure);
            }
            CompletableFuture<?> real =
                ((CompletionStage<?>) Objects.requireNonNull(asked.on(open))).toCompletableFuture();
            real.whenComplete(
                (value, wrong) -> {
                  if (wrong == null) {
                    result.complete(value);
                  } else {
                    result.completeExceptionally(
                        wrong instanceof CompletionException e && e.getCause() != null
                            ? e.getCause()
                            : wrong);
                  }
                });
            result.whenComplete((value, end) -> real.cancel(false)); // no effect after a grant
          } catch (Throwable e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }
}
