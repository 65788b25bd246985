package dev.leasehold.testkit;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.quorum.QuorumBackend;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.view.KeyLayout;
import dev.leasehold.testkit.view.QuorumView;
import dev.leasehold.testkit.view.RedisView;
import dev.leasehold.testkit.view.ServerView;
import dev.leasehold.testkit.view.ValueForm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A backend found by {@link ServiceLoader}, on the kit's Redis server, whose address is passed in
 * the setting {@code lock.redis.uri}. Immutable and thread-safe.
 */
public class RedisBackend implements BackendUnderTest {
  private static final String URI = "lock.redis.uri";
  private static final String NODES = "lock.redlock.nodes";
  private static final String LONGEST_LEASE = "lock.redlock.longest-lease";
  private static final int QUORUM = 3;

  private final Provider provider;
  private final KeyLayout layout;
  private final ValueForm form;

  /**
   * Creates a backend whose leases end with their keys' time to live.
   *
   * @param id {@link LockBackend#id()}
   * @param layout the keys of its locks
   * @param settings further settings, such as a mode
   */
  public RedisBackend(String id, KeyLayout layout, Map<String, String> settings) {
    this(new Provider(id, settings), layout, ValueForm.TOKEN);
  }

  RedisBackend(Provider provider, KeyLayout layout, ValueForm form) {
    this.provider = provider;
    this.layout = layout;
    this.form = form;
  }

  /** A backend with its default settings and default keys. */
  public static RedisBackend of(String id) {
    return new RedisBackend(id, KeyLayout.ofBackend(id), Map.of());
  }

  /** This backend with a further setting. */
  public RedisBackend with(String key, String value) {
    return new RedisBackend(provider.with(key, value), layout, form);
  }

  /** This backend with other keys. */
  public RedisBackend with(KeyLayout otherLayout) {
    return new RedisBackend(provider, otherLayout, form);
  }

  /** This backend with another form of values. */
  public RedisBackend with(ValueForm otherForm) {
    return new RedisBackend(provider, layout, otherForm);
  }

  @Override
  public String name() {
    return provider.name();
  }

  @Override
  public Reach reach() {
    return Reach.REDIS;
  }

  @Override
  public LeaseStore open(String address) {
    LockBackend backend = provider.find();
    Map<String, String> all = settings(backend);
    if (backend instanceof QuorumBackend) {
      all.put(NODES, address);
    } else {
      all.put(URI, address);
    }
    LockSettings given = Provider.checked(backend, all);
    return backend instanceof QuorumBackend quorum && !PatientMajority.isReplaced()
        ? quorum.open(given, new PatientMajority())
        : backend.open(given);
  }

  @Override
  public Optional<LeaseStore> quorum(List<? extends LeaseStore> nodes) {
    return provider.find() instanceof QuorumBackend backend
        ? Optional.of(backend.over(nodes, LockSettings.of(settings(backend))))
        : Optional.empty();
  }

  /** All settings but the address: a quorum's longest lease is above those of the rules. */
  private Map<String, String> settings(LockBackend backend) {
    Map<String, String> all = provider.and(Map.of());
    if (backend instanceof QuorumBackend) {
      all.putIfAbsent(LONGEST_LEASE, "1h");
    }
    return all;
  }

  @Override
  public Duration linger() {
    return form.linger();
  }

  @Override
  public int nodes() {
    return provider.find() instanceof QuorumBackend ? QUORUM : 1;
  }

  @Override
  public BackendUnderTest longestLease(Duration longest) {
    return nodes() == 1 ? this : with(LONGEST_LEASE, longest.toMillis() + "ms");
  }

  /** Writes the marker that {@code lock-redis-set}'s nodes check. */
  @Override
  public void admit(RedisServer server) {
    server.call(
        "HSET",
        "lh:node",
        "run",
        server.runId(),
        "since",
        "0",
        "longest",
        "0",
        "replid",
        server.replicationId());
  }

  @Override
  public Optional<ServerView> view(String address) {
    List<ServerView> views = new ArrayList<>();
    for (String each : address.split(",", -1)) {
      views.add(new RedisView(each, layout, form));
    }
    return Optional.of(views.size() == 1 ? views.get(0) : new QuorumView(views));
  }

  @Override
  public String recipe() {
    return Recipe.ofService(provider, layout, form);
  }

  @Override
  public String toString() {
    return name();
  }
}
