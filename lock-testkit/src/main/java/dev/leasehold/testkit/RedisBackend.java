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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A backend that {@link ServiceLoader} finds, on the kit's Redis server: its address goes into the
 * setting {@code lock.redis.uri}. Immutable and thread-safe.
 */
public class RedisBackend implements BackendUnderTest {
  private static final String URI = "lock.redis.uri";
  private static final String NODES = "lock.redlock.nodes";
  private static final String LONGEST_LEASE = "lock.redlock.longest-lease";
  private static final int QUORUM = 3;

  private final String id;
  private final KeyLayout layout;
  private final ValueForm form;
  private final Map<String, String> settings;

  /**
   * A backend by its id, whose leases end with their keys' time to live.
   *
   * @param id {@link LockBackend#id()}
   * @param layout where it keeps its locks
   * @param settings further settings, for a mode of it
   */
  public RedisBackend(String id, KeyLayout layout, Map<String, String> settings) {
    this(id, layout, ValueForm.TOKEN, settings);
  }

  RedisBackend(String id, KeyLayout layout, ValueForm form, Map<String, String> settings) {
    this.id = id;
    this.layout = layout;
    this.form = form;
    this.settings = new TreeMap<>(settings);
  }

  /** A backend with its default settings and the keys that it has by default. */
  public static RedisBackend of(String id) {
    return new RedisBackend(id, KeyLayout.ofBackend(id), Map.of());
  }

  /** This with a further setting. */
  public RedisBackend with(String key, String value) {
    Map<String, String> all = new HashMap<>(settings);
    all.put(key, value);
    return new RedisBackend(id, layout, form, all);
  }

  /** This with other keys. */
  public RedisBackend with(KeyLayout otherLayout) {
    return new RedisBackend(id, otherLayout, form, settings);
  }

  /** This with other values. */
  public RedisBackend with(ValueForm otherForm) {
    return new RedisBackend(id, layout, otherForm, settings);
  }

  @Override
  public String name() {
    String mode =
        settings.entrySet().stream()
            .map(e -> e.getKey().replaceFirst("^lock\\.", "") + "=" + e.getValue())
            .collect(Collectors.joining(", "));
    return mode.isEmpty() ? id : id + " (" + mode + ")";
  }

  @Override
  public Reach reach() {
    return Reach.REDIS;
  }

  @Override
  public LeaseStore open(String address) {
    LockBackend backend = find();
    Map<String, String> all = new HashMap<>(settings);
    if (backend instanceof QuorumBackend) {
      all.put(NODES, address);
      all.putIfAbsent(LONGEST_LEASE, "1h");
    } else {
      all.put(URI, address);
    }
    LockSettings given = LockSettings.of(all);
    given.check(backend.settings());
    return backend instanceof QuorumBackend quorum && !PatientMajority.isReplaced()
        ? quorum.open(given, new PatientMajority())
        : backend.open(given);
  }

  @Override
  public Optional<LeaseStore> quorum(List<? extends LeaseStore> nodes) {
    return find() instanceof QuorumBackend backend
        ? Optional.of(backend.over(nodes, LockSettings.of(settings)))
        : Optional.empty();
  }

  private LockBackend find() {
    for (LockBackend backend : ServiceLoader.load(LockBackend.class)) {
      if (backend.id().equals(id)) {
        return backend;
      }
    }
    throw new IllegalStateException("no backend '" + id + "' is on the path: add its jar");
  }

  @Override
  public Duration linger() {
    return form.linger();
  }

  @Override
  public int nodes() {
    return find() instanceof QuorumBackend ? QUORUM : 1;
  }

  @Override
  public BackendUnderTest longestLease(Duration longest) {
    return nodes() == 1 ? this : with(LONGEST_LEASE, longest.toMillis() + "ms");
  }

  /** Writes the marker that {@code lock-redis-set}'s nodes look at. */
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
    for (String each : address.split(",")) {
      views.add(new RedisView(each, layout, form));
    }
    return Optional.of(views.size() == 1 ? views.get(0) : new QuorumView(views));
  }

  @Override
  public String recipe() {
    return Recipe.ofService(id, layout, form, settings);
  }

  @Override
  public String toString() {
    return name();
  }
}
