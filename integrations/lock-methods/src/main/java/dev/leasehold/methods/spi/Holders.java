package dev.leasehold.methods.spi;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Looks up a lock's holder, for the message of a lock time-out. The look-up is a round trip, so for
 * asynchronous callers it runs on one of a few threads, which end when idle. Under overload the
 * message omits the holder. Thread-safe.
 */
final class Holders {
  private static final int THREADS = 2;
  private static final int MOST_WAITING = 64;
  private static final ThreadPoolExecutor ASKING =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          1,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(MOST_WAITING),
          Holders::thread);

  static {
    ASKING.allowCoreThreadTimeOut(true);
  }

  /** No lease is longer; another program's value may have no end. */
  private static final Duration LONGEST = Duration.ofDays(366);

  private Holders() {}

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(null, task, "leasehold-holders", 0, false);
    thread.setDaemon(true);
    return thread;
  }

  /** A clause that names the holder, or an empty text if it is unknown. Blocks. */
  static String of(DistributedLock lock) {
    try {
      Optional<HolderInfo> holder = lock.inspect();
      return holder
          .map(
              held ->
                  "; it is held by "
                      + Quoted.name(held.holder())
                      + (held.remaining().compareTo(LONGEST) > 0
                          ? ", without an end"
                          : ", for another " + Setting.written(held.remaining())))
          .orElse("; it is no longer held");
    } catch (LockException unknown) {
      return "";
    }
  }

  /** Passes the result of {@link #of} to {@code callback}, later. Does not block. */
  static void tell(DistributedLock lock, Consumer<String> callback) {
    try {
      ASKING.execute(() -> callback.accept(of(lock)));
    } catch (RejectedExecutionException tooMany) {
      callback.accept("");
    }
  }
}
