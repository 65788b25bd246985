package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.StoreContext;
import java.time.Duration;
import java.util.List;

/** The client itself releases when the minimum is over, so it must stay alive until then. */
public final class KeptByClient extends Control {
  @Override
  public String name() {
    return "minimum hold kept by a sleeping client";
  }

  @Override
  List<String> tells() {
    return List.of("AT-2", "AT-4");
  }

  @Override
  List<String> breaks() {
    return List.of("AT-2", "AT-3", "AT-4");
  }

  @Override
  public LeaseStore open(String address) {
    return new KeepingStore(address) {
      private StoreContext context;

      @Override
      public void start(StoreContext lent) {
        super.start(lent);
        context = lent;
      }

      @Override
      boolean keep(String key, String token, long rest) {
        context
            .scheduler()
            .schedule(
                Duration.ofMillis(rest),
                () -> context.blockingExecutor().execute(() -> free(key, token)));
        return refusal(key, token).isEmpty();
      }
    };
  }
}
