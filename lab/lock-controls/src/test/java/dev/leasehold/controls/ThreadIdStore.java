package dev.leasehold.controls;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A store whose owner is a thread id, which other processes use, too. */
final class ThreadIdStore extends SoundStore {
  private static final AtomicLong WORKERS = new AtomicLong();

  /** The thread ids, by token. */
  private final Map<String, String> owners = new ConcurrentHashMap<>();

  private ThreadIdStore(String address) {
    super(address);
  }

  static LeaseStore at(String address) {
    ThreadIdStore store = new ThreadIdStore(address);
    return Around.each(
        LeaseStore.class,
        store,
        (method, arguments, call) -> {
          if (method.getName().equals("acquire")) {
            // This is the thread that wants the lock; the call itself runs on a manager's worker.
            store.owners.putIfAbsent(((AcquireRequest) arguments[0]).key().token(), number());
          }
          return call.make();
        });
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
}
