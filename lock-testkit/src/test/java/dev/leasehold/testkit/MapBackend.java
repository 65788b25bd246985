package dev.leasehold.testkit;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.MapLeaseStore.Held;
import dev.leasehold.testkit.view.ServerView;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** {@link MapLeaseStore} as the suite wants it. */
public final class MapBackend implements BackendUnderTest {
  private final Map<String, ConcurrentMap<String, Held>> memories = new ConcurrentHashMap<>();

  private ConcurrentMap<String, Held> memory(String address) {
    return memories.computeIfAbsent(address, a -> new ConcurrentHashMap<>());
  }

  @Override
  public String name() {
    return "map";
  }

  @Override
  public Reach reach() {
    return Reach.PROCESS;
  }

  @Override
  public LeaseStore open(String address) {
    return new MapLeaseStore(memory(address));
  }

  @Override
  public Optional<ServerView> view(String address) {
    Map<String, Held> locks = memory(address);
    return Optional.of(
        new ServerView() {
          @Override
          public Optional<Entry> look(String lockName) {
            return MapLeaseStore.live(locks, lockName)
                .map(held -> new Entry(held.token(), Optional.of(held.left())));
          }

          @Override
          public void remove(String lockName) {
            locks.remove(lockName);
          }

          @Override
          public void put(String lockName, String value, Duration ttl) {
            locks.put(lockName, new Held(value, System.nanoTime() + ttl.toNanos(), 0));
          }

          @Override
          public void close() {}
        });
  }
}
