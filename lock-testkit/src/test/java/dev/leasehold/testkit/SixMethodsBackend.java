package dev.leasehold.testkit;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.SixMethodsStore.Held;
import dev.leasehold.testkit.view.ServerView;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** {@link SixMethodsStore} as the suite wants it, with as little said as there can be. */
public final class SixMethodsBackend implements BackendUnderTest {
  private final Map<String, ConcurrentMap<String, Held>> memories = new ConcurrentHashMap<>();

  @Override
  public String name() {
    return "six methods";
  }

  @Override
  public Reach reach() {
    return Reach.PROCESS;
  }

  @Override
  public LeaseStore open(String address) {
    return new SixMethodsStore(
        memories.computeIfAbsent(address, shared -> new ConcurrentHashMap<>()));
  }

  @Override
  public Optional<ServerView> view(String address) {
    return Optional.empty();
  }
}
