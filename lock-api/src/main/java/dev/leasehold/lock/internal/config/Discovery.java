package dev.leasehold.lock.internal.config;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.internal.Label;
import dev.leasehold.lock.internal.calls.KnownBackends;
import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.LockBackend;
import dev.leasehold.lock.spi.Problems;
import dev.leasehold.lock.spi.ReplacedSetting;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.quorum.QuorumBackend;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the backend on the path, and opens a manager on it. */
public final class Discovery implements LockManager.Opener {
  private final LockSettings settings;
  private final List<UnaryOperator<LockManager.Builder>> changes = new ArrayList<>();
  private @Nullable QuorumPolicy policy;
  private @Nullable LockBackend given;

  /** Uses the one backend that the path and the settings select. */
  public Discovery(LockSettings settings) {
    this.settings = Objects.requireNonNull(settings, "settings");
  }

  @Override
  public Discovery engine(UnaryOperator<LockManager.Builder> change) {
    changes.add(Objects.requireNonNull(change, "changes"));
    return this;
  }

  @Override
  public Discovery quorum(QuorumPolicy decides) {
    this.policy = Objects.requireNonNull(decides, "policy");
    return this;
  }

  @Override
  public Discovery backend(LockBackend backend) {
    this.given = Objects.requireNonNull(backend, "backend");
    return this;
  }

  @Override
  public void check() {
    checked(candidates());
  }

  @Override
  public String backendId() {
    return checked(candidates()).id();
  }

  private List<LockBackend> candidates() {
    LockBackend one = given;
    return one == null ? backends() : List.of(one);
  }

  @Override
  public LockManager open() {
    LockBackend backend = checked(candidates());
    Optional<LeaseRenewer> renewer = only(LeaseRenewer.class);
    List<LockListener> listeners = load(LockListener.class);
    LockSettings labelled = labelled(settings);
    return backend.manager(
        labelled,
        builder -> {
          EngineSettings.apply(labelled, builder);
          renewer.ifPresent(builder::renewer);
          listeners.forEach(builder::listener);
          LockManager.Builder changed = builder;
          for (UnaryOperator<LockManager.Builder> change : changes) {
            changed = change.apply(changed);
          }
          return changed;
        });
  }

  /** Returns the settings with a label, which a manager and its connections have in common. */
  private static LockSettings labelled(LockSettings given) {
    String key = EngineSettings.LABEL.key();
    String label = given.text(key).orElseGet(Label::byDefault);
    return given.text(key).isPresent()
        ? given
        : new ReplacedSetting(given, key, label, "the default", label);
  }

  /** Returns the backend, with the quorum policy that was passed in, if any. */
  private LockBackend policed(LockBackend backend) {
    QuorumPolicy given = policy;
    if (given == null) {
      return backend;
    }
    if (backend instanceof QuorumBackend quorum) {
      return new Policed(quorum, given);
    }
    throw new LockConfigurationException(
        "a quorum policy ("
            + given.getClass().getName()
            + ") is given, but the backend "
            + backend.id()
            + " uses one store alone: remove the policy, or use "
            + KnownBackends.jarOfAQuorum());
  }

  private record Policed(QuorumBackend quorum, QuorumPolicy policy) implements LockBackend {
    @Override
    public String id() {
      return quorum.id();
    }

    @Override
    public List<Setting<?>> settings() {
      return quorum.settings();
    }

    @Override
    public LeaseStore open(LockSettings settings) {
      return quorum.open(settings, policy);
    }
  }

  /** Returns the backend, after a check that reports all errors in the settings at once. */
  LockBackend checked(List<LockBackend> found) {
    Problems problems = new Problems();
    Optional<LockBackend> chosen = problems.read(() -> choose(found, settings));
    if (found.isEmpty()) {
      problems.throwIfAny(); // any backend's key would look wrong
    }
    Optional<LockBackend> real = chosen.filter(backend -> !backend.isStandIn());
    problems.check(() -> settings.check(known(real.map(List::of).orElse(found))));
    problems.check(() -> EngineSettings.waitStrategy(settings));
    Optional<LockBackend> backend = chosen.flatMap(c -> problems.read(() -> policed(c)));
    chosen.ifPresent(c -> problems.check(() -> c.check(settings)));
    problems.throwIfAny();
    return backend.orElseThrow();
  }

  /** Every setting that anything on the path has. */
  public static List<Setting<?>> known() {
    return known(backends());
  }

  private static List<Setting<?>> known(List<LockBackend> backends) {
    Map<String, Setting<?>> known = new LinkedHashMap<>();
    EngineSettings.all().forEach(s -> known.put(s.key(), s));
    backends.forEach(backend -> backend.settings().forEach(s -> known.putIfAbsent(s.key(), s)));
    return List.copyOf(known.values());
  }

  /** All backends on the path, by id. */
  public static List<LockBackend> backends() {
    // Not Comparator.comparing, which is serializable: a class-data archive can't have its lambda.
    return load(LockBackend.class).stream().sorted((a, b) -> a.id().compareTo(b.id())).toList();
  }

  static LockBackend choose(List<LockBackend> found, LockSettings settings) {
    String ids = found.stream().map(LockBackend::id).collect(Collectors.joining(", "));
    Optional<String> wanted = settings.find(EngineSettings.BACKEND);
    if (found.isEmpty()) {
      throw new LockConfigurationException(
          "no lock backend is on the path"
              + wanted.map(id -> " (lock.backend asks for '" + id + "')").orElse("")
              + ": add one of "
              + KnownBackends.jars());
    }
    if (wanted.isPresent()) {
      return found.stream()
          .filter(backend -> backend.id().equals(wanted.get()))
          .findFirst()
          .orElseThrow(
              () ->
                  new LockConfigurationException(
                      "lock.backend = '"
                          + wanted.get()
                          + "' ("
                          + settings.origin(EngineSettings.BACKEND.key())
                          + ") is not on the path; there are: "
                          + ids));
    }
    Set<String> builtOn =
        found.stream().flatMap(b -> b.buildsOn().stream()).collect(Collectors.toSet());
    List<LockBackend> outer =
        found.stream().filter(b -> !builtOn.contains(b.id()) && !b.isStandIn()).toList();
    if (outer.isEmpty()) {
      throw new LockConfigurationException(
          "no lock backend but a stand-in for tests is on the path: set lock.backend = "
              + ids
              + " if you mean it, or add one of "
              + KnownBackends.jars());
    }
    if (outer.size() != 1) {
      throw new LockConfigurationException(
          "several lock backends are on the path: set lock.backend to one of " + ids);
    }
    return outer.get(0);
  }

  private static <T> Optional<T> only(Class<T> service) {
    List<T> found = load(service);
    if (found.size() > 1) {
      throw new LockConfigurationException(
          "several services "
              + service.getName()
              + " are on the path, and one is wanted: "
              + found.stream().map(s -> s.getClass().getName()).collect(Collectors.joining(", ")));
    }
    return found.stream().findFirst();
  }

  private static <T> List<T> load(Class<T> service) {
    List<T> found = new ArrayList<>();
    ServiceLoader.load(service).forEach(found::add);
    return found;
  }
}
