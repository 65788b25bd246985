package dev.leasehold.memory;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.memory.Share.Kind;
import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.view.ServerView;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** {@link MemoryLocks} in real time, as the suite wants it. */
public class MemoryUnderTest implements BackendUnderTest {
  private final Map<String, MemoryLocks> memories = new ConcurrentHashMap<>();

  private MemoryLocks at(String address) {
    return memories.computeIfAbsent(address, a -> MemoryLocks.inRealTime());
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Reach reach() {
    return Reach.PROCESS;
  }

  @Override
  public LeaseStore open(String address) {
    return at(address).store();
  }

  @Override
  public Optional<ServerView> view(String address) {
    return Optional.of(new View(at(address)));
  }

  private record View(MemoryLocks locks) implements ServerView {
    @Override
    public Optional<Entry> look(String lockName) {
      return locks
          .memory()
          .look(
              Kind.LOCK,
              lockName,
              (state, now, none) ->
                  state
                      .holder(false)
                      .map(e -> new Entry(e.getKey(), Optional.of(e.getValue().left(now)))));
    }

    @Override
    public void remove(String lockName) {
      locks.takeAway(lockName);
    }

    @Override
    public void put(String lockName, String holder, Duration ttl) {
      locks
          .memory()
          .look(
              Kind.LOCK,
              lockName,
              (state, now, none) -> {
                state.put(holder, Share.LOCK, now + ttl.toNanos());
                return holder;
              });
    }

    @Override
    public boolean hasWaiting(String lockName, long waiters) {
      return locks.waiting(lockName) == waiters;
    }

    @Override
    public void close() {}
  }
}
