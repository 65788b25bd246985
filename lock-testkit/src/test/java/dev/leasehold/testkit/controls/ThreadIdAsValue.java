package dev.leasehold.testkit.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The owner is a thread's number, which other processes have as well. */
public final class ThreadIdAsValue extends Control {
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
        "EX-3", "EX-4", "FL-1", "IN-2", "LC-1", "LE-5", "RE-1", "RE-4", "RL-3", "RL-4", "RN-1",
        "RN-2", "RN-4");
  }

  /** Threads that contend may have the same number, in another process or one after another. */
  @Override
  List<String> breaksAtTimes() {
    return List.of("EX-1", "EX-5", "LO-3");
  }

  @Override
  public LeaseStore open(String address) {
    return new SoundStore(address, OWNED_WITH_TTL) {
      private final Map<String, String> owners = new ConcurrentHashMap<>();

      @Override
      Optional<Duration> take(String key, String token, long ttl) {
        String id = Long.toString(Thread.currentThread().getId());
        // Known before the answer: should that be lost, the release has to know it.
        String known = owners.putIfAbsent(token, id);
        Optional<Duration> refusal = super.take(key, known == null ? id : known, ttl);
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
