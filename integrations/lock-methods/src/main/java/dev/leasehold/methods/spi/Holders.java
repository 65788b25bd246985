package dev.leasehold.methods.spi;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Setting;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Asks who has a lock, for the message to those who did not get it. It takes a round trip, so those
 * who do not block are told by a thread of this; it has few, which end when they are not needed,
 * and where more ask than they can serve the message does without. Thread-safe.
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

  private Holders() {}

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(null, task, "leasehold-holders", 0, false);
    thread.setDaemon(true);
    return thread;
  }

  /** "; it is held by 'x' for 3s yet", or nothing if that is not known. Blocks. */
  static String of(DistributedLock lock) {
    try {
      Optional<HolderInfo> holder = lock.inspect();
      return holder
          .map(
              held ->
                  "; it is held by "
                      + Quoted.name(held.holder())
                      + ", for "
                      + Setting.written(held.remaining())
                      + " yet")
          .orElse("; nobody holds it any more");
    } catch (LockException unknown) {
      return "";
    }
  }

  /** Tells {@link #of} to somebody, later. Does not block. */
  static void tell(DistributedLock lock, Consumer<String> somebody) {
    try {
      ASKING.execute(() -> somebody.accept(of(lock)));
    } catch (RejectedExecutionException tooMany) {
      somebody.accept("");
    }
  }
}
