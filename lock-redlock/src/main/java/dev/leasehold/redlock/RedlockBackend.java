package dev.leasehold.redlock;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Problems;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.quorum.NodeBackend;
import dev.leasehold.lock.spi.quorum.QuorumBackend;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The backend {@code redlock}: a quorum of servers, each a store of another backend. A {@link
 * QuorumPolicy} that {@link ServiceLoader} finds replaces the majority.
 */
public final class RedlockBackend implements QuorumBackend {

  /** For {@link ServiceLoader}. */
  public RedlockBackend() {}

  @Override
  public String id() {
    return "redlock";
  }

  @Override
  public Set<String> buildsOn() {
    return Set.of(RedlockSettings.DEFAULT_NODE_BACKEND);
  }

  /** Its own settings, and those of every backend on the path that could serve as a node. */
  @Override
  public List<Setting<?>> settings() {
    Map<String, Setting<?>> all = new LinkedHashMap<>();
    RedlockSettings.all().forEach(setting -> all.put(setting.key(), setting));
    for (LockBackend backend : nodeBackends()) {
      backend.settings().forEach(setting -> all.putIfAbsent(setting.key(), setting));
    }
    all.remove(RedlockSettings.NODE_URI);
    return List.copyOf(all.values());
  }

  private static List<LockBackend> nodeBackends() {
    List<LockBackend> found = new ArrayList<>();
    for (LockBackend backend : ServiceLoader.load(LockBackend.class)) {
      if (!(backend instanceof QuorumBackend)) {
        found.add(backend);
      }
    }
    return found;
  }

  @Override
  public void check(LockSettings settings) {
    Problems problems = new Problems();
    List<LockSettings> nodes =
        problems.read(() -> NodeLists.of(settings).nodes()).orElse(List.of());
    problems.check(() -> NodeLists.checkDistinct(settings));
    problems.check(() -> checkLongest(RedlockSettings.LEASE, settings));
    problems.check(() -> checkLongest(RedlockSettings.AT_LEAST, settings));
    problems
        .read(() -> nodeBackend(settings))
        .ifPresent(backend -> checkNodes(backend, nodes, problems));
    problems.throwIfAny();
  }

  private static void checkNodes(LockBackend backend, List<LockSettings> nodes, Problems problems) {
    for (LockSettings own : nodes) {
      problems.check(
          backend instanceof NodeBackend careful && careful.isGuarded(own)
              ? () -> careful.checkNode(own)
              : () -> backend.check(own));
    }
  }

  @Override
  public LeaseStore open(LockSettings settings) {
    List<QuorumPolicy> policies = new ArrayList<>();
    ServiceLoader.load(QuorumPolicy.class).forEach(policies::add);
    if (policies.size() > 1) {
      throw new LockConfigurationException(
          "several quorum policies are on the path, and one is wanted: "
              + policies.stream().map(p -> p.getClass().getName()).sorted().toList());
    }
    return open(settings, policies.isEmpty() ? QuorumPolicy.majority() : policies.get(0));
  }

  @Override
  public LeaseStore open(LockSettings settings, QuorumPolicy policy) {
    LockBackend backend = nodeBackend(settings);
    Duration longest = settings.get(RedlockSettings.LONGEST_LEASE);
    Duration onNodes = onNodes(longest, policy);
    NodeLists.checkDistinct(settings);
    NodeLists lists = NodeLists.of(settings);
    List<LeaseStore> nodes = new ArrayList<>();
    for (LockSettings own : lists.nodes()) {
      Supplier<LeaseStore> opener =
          backend instanceof NodeBackend careful && careful.isGuarded(own)
              ? () -> careful.openNode(own, onNodes)
              : () -> backend.open(own);
      nodes.add(
          new ReconnectingNode(
              RedlockSettings.address(own.text(RedlockSettings.NODE_URI).orElseThrow()), opener));
    }
    // Nodes compare lists by majorities, so lists are announced only under the majority policy.
    return policy.equals(QuorumPolicy.majority())
        ? new QuorumLeaseStore(nodes, lists.policy(policy), longest, lists.lists())
        : new QuorumLeaseStore(nodes, lists.policy(policy), longest);
  }

  /**
   * The longest time to live that nodes are asked for. It exceeds the lease by clock drift, and a
   * minimum hold by the length of the vote, since that counts from the vote's end.
   */
  static Duration onNodes(Duration longest, QuorumPolicy policy) {
    return longest
        .plus(policy.driftAllowance(longest).multipliedBy(2))
        .plus(policy.nodeTimeout(longest).multipliedBy(3));
  }

  private static void checkLongest(Setting<Duration> setting, LockSettings settings) {
    Duration time = settings.get(setting);
    Duration longest = settings.get(RedlockSettings.LONGEST_LEASE);
    // If it is not set, each lock may set its own.
    boolean isSet = settings.text(setting.key()).isPresent();
    if (isSet && time.compareTo(longest) > 0) {
      throw new LockConfigurationException(
          "%s = %s (%s) is longer than %s = %s (%s): locks with it would all be refused"
              .formatted(
                  setting.key(),
                  Setting.written(time),
                  settings.origin(setting.key()),
                  RedlockSettings.LONGEST_LEASE.key(),
                  Setting.written(longest),
                  settings.origin(RedlockSettings.LONGEST_LEASE.key())));
    }
  }

  private static LockBackend nodeBackend(LockSettings settings) {
    String id = settings.get(RedlockSettings.NODE_BACKEND);
    List<LockBackend> found = nodeBackends();
    LockBackend named =
        found.stream()
            .filter(backend -> backend.id().equals(id))
            .findFirst()
            .orElseThrow(
                () ->
                    refused(
                        id,
                        settings,
                        "is not on the path; there are: "
                            + found.stream()
                                .map(LockBackend::id)
                                .collect(Collectors.joining(", "))));
    boolean guarded = named instanceof NodeBackend careful && careful.isGuarded(settings);
    if (!guarded && !settings.get(RedlockSettings.ALLOW_UNGUARDED)) {
      throw refused(
          id,
          settings,
          "lets a server vote as soon as it is started again, when it may have forgotten locks;"
              + " redis-set, redis-setnx (scheme setnx-script) and redisson do not. If you keep such a server down for "
              + RedlockSettings.LONGEST_LEASE.key()
              + " yourself, set "
              + RedlockSettings.ALLOW_UNGUARDED.key()
              + " = true");
    }
    return named;
  }

  private static LockConfigurationException refused(String id, LockSettings settings, String why) {
    String key = RedlockSettings.NODE_BACKEND.key();
    return new LockConfigurationException(
        key + " = '" + id + "' (" + settings.origin(key) + ") " + why);
  }

  @Override
  public LeaseStore over(List<? extends LeaseStore> nodes, LockSettings settings) {
    return new QuorumLeaseStore(
        nodes, QuorumPolicy.majority(), settings.get(RedlockSettings.LONGEST_LEASE));
  }
}
