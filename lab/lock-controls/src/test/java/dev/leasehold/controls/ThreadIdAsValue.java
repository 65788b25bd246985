package dev.leasehold.controls;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The owner is a thread id, which other processes use, too. */
public final class ThreadIdAsValue extends Control {
  private static final AtomicLong WORKERS = new AtomicLong();

  @Override
  public String name() {
    return "value is the thread id";
  }

  @Override
  List<String> tells() {
    return List.of("EX-3", "EX-4");
  }

  @Override
  List<String> breaks() {
    return List.of(
        "EX-3", "EX-4", "FL-1", "IN-2", "LC-1", "LE-5", "MU-1", "RE-1", "RE-4", "RL-3", "RL-4",
        "RN-1", "RN-2", "RN-4");
  }

  @Override
  public LeaseStore open(String address) {
    Map<String, String> owners = new ConcurrentHashMap<>();
    LeaseStore store = over(address, owners);
    return new AskingStore(store) {
      @Override
      public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
        // This is the thread that wants the lock; the call itself runs on a worker of the manager.
        owners.putIfAbsent(request.key().token(), number());
        return store.acquire(request);
      }
    };
  }

  /**
   * Worker threads come and go: their ids would only be equal by chance, within a process or across
   * two.
   */
  private static String number() {
    Thread asks = Thread.currentThread();
    return asks.getName().startsWith("leasehold")
        ? "worker-" + ProcessHandle.current().pid() + '-' + WORKERS.incrementAndGet()
        : Long.toString(asks.getId());
  }

  private static LeaseStore over(String address, Map<String, String> owners) {
    return new SoundStore(address, OWNED_WITH_TTL) {

      @Override
      Optional<Duration> take(String key, String token, long ttl) {
        // Stored before the answer: should that be lost, the release needs it.
        String id = owners.computeIfAbsent(token, t -> number());
        Optional<Duration> refusal = super.take(key, id, ttl);
        if (refusal.isPresent()) {
          owners.remove(token);
        }
        return refusal;
      }

      @Override
      boolean free(String key, String token) {
        String id = owners.remove(token);
        return id != null && super.free(key, id);
      }

      @Override
      boolean freeUnheard(String key, String token) {
        return free(key, token);
      }

      @Override
      boolean prolong(String key, String token, long ttl) {
        String id = owners.get(token);
        return id != null && super.prolong(key, id, ttl);
      }
    };
  }
}
