package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A watch on the store while somebody waits. Every method runs under the cell's mutex. */
final class Listening {
  private final LockCell cell;
  private final Env env;
  private final Runnable wakeUp;
  private boolean wanted;
  private @Nullable Watch watch;

  Listening(LockCell cell, Env env, Runnable wakeUp) {
    this.cell = cell;
    this.env = env;
    this.wakeUp = wakeUp;
  }

  boolean isOpen() {
    return watch != null;
  }

  /** Begins to listen, and then runs one of the two. */
  void open(LeaseKey waiter, Runnable opened, Runnable failed) {
    wanted = true;
    cell.after(
        () -> {
          CompletionStage<Watch> begun =
              env.calls()
                  .send(
                      cell.name(),
                      "watch",
                      () -> env.store().watch(waiter, () -> cell.locked(wakeUp)));
          begun.whenComplete(
              (w, failure) ->
                  cell.locked(
                      () -> {
                        if (failure != null) {
                          failed.run();
                        } else if (!wanted || watch != null) {
                          cell.after(w::close);
                        } else {
                          watch = w;
                          opened.run();
                        }
                      }));
        });
  }

  void close() {
    wanted = false;
    Watch open = watch;
    if (open != null) {
      watch = null;
      cell.after(open::close);
    }
  }
}
