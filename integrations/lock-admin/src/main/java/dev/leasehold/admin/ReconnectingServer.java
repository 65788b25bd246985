package dev.leasehold.admin;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.redis.set.LettuceAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that may be unreachable when the tool is opened: each operation tries to connect until
 * it answers; after that its connection reconnects by itself. Thread-safe.
 */
final class ReconnectingServer implements AutoCloseable {
  private final LettuceAddress to;
  private final Supplier<CompletableFuture<Server>> connect;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable CompletableFuture<Server> connecting;
  private boolean closed;

  /**
   * A server that is not connected yet.
   *
   * @param connect starts to connect; the stage fails with {@code LockStoreException}
   */
  ReconnectingServer(LettuceAddress to, Supplier<CompletableFuture<Server>> connect) {
    this.to = to;
    this.connect = connect;
  }

  String address() {
    return to.toString();
  }

  Duration connectTimeout() {
    return to.uris().get(0).getTimeout();
  }

  /** Returns the server; fails with {@code LockStoreException} while it can't be reached. */
  CompletableFuture<Server> server() {
    lock.lock();
    try {
      if (closed) {
        return CompletableFuture.failedFuture(
            new LockStoreException(LockStoreException.Kind.UNREACHABLE, "LockAdmin is closed"));
      }
      CompletableFuture<Server> now = connecting;
      if (now == null || now.isCompletedExceptionally()) {
        now = connect.get();
        connecting = now;
      }
      return now.copy(); // cancelling it does not cancel the connection
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    CompletableFuture<Server> last;
    lock.lock();
    try {
      closed = true;
      last = connecting;
    } finally {
      lock.unlock();
    }
    if (last != null) {
      // One that is still connecting ends within its time-out.
      last.thenAccept(Server::close).exceptionally(failure -> null).join();
    }
  }
}
