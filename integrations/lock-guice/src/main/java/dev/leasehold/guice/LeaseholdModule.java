package dev.leasehold.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Binder;
import com.google.inject.Key;
import com.google.inject.Provider;
import com.google.inject.TypeLiteral;
import com.google.inject.binder.ScopedBindingBuilder;
import com.google.inject.multibindings.OptionalBinder;
import com.google.inject.name.Names;
import com.typesafe.config.Config;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.methods.spi.ConfiguredKind;
import dev.leasehold.methods.spi.ConfiguredLock;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Binds a {@link LockManager} on the backend found on the path, its named locks, and the
 * interceptors of {@link dev.leasehold.methods.Locked} methods.
 * <!-- given: com.typesafe.config.Config config -->
 *
 * <pre>{@code
 * com.google.inject.Injector injector =
 *     com.google.inject.Guice.createInjector(LeaseholdModule.of(config));
 * LockManager locks = injector.getInstance(LockManager.class);
 * }</pre>
 *
 * <p>It binds:
 *
 * <ul>
 *   <li>{@link LockManager}, a singleton: opened with the injector, or {@linkplain #lazily() when
 *       first used};
 *   <li>for each section {@code lock.locks.<id>} a {@link dev.leasehold.lock.DistributedLock} and
 *       its {@link LockOptions}, both {@code @Named("<id>")}; or, depending on {@code kind}, a
 *       {@link dev.leasehold.lock.DistributedReadWriteLock} ({@code read-write}), a {@link
 *       dev.leasehold.lock.DistributedSemaphore} ({@code semaphore}, with its number in {@code
 *       permits}) or a {@link dev.leasehold.lock.DistributedLatch} ({@code latch}). Below the id
 *       are {@code name}, if it differs from the id, and those of {@code lease}, {@code renewal},
 *       {@code at-least}, {@code wait.longest}, {@code poll.shortest}, {@code poll.longest}, {@code
 *       hand-over.times} and {@code hand-over.within} that differ from the manager's;
 *   <li>{@link LockManagers}, to close all managers. Unless {@link #closedByHand()} is used, a JVM
 *       shutdown hook does so at the latest.
 * </ul>
 *
 * <p>It uses, if the application binds them, a {@link LeaseRenewer} (a new one for each manager)
 * and a {@link QuorumPolicy}, for backends on several nodes. They take precedence over those found
 * by {@link java.util.ServiceLoader}.
 *
 * <p>Settings are checked when the injector is created, even for a lazy manager: all problems are
 * reported at once, with file and line. A kind of lock that the backend lacks is reported when the
 * manager is opened. For several managers in one injector, install several modules and {@linkplain
 * #annotatedWith(Class) qualify} all but one; all bindings above then carry the qualifier, except
 * the named locks, whose ids are unique in the injector.
 *
 * <p>Immutable: each method returns a changed copy.
 */
public final class LeaseholdModule extends AbstractModule {
  private final LockSettings settings;
  private final Key<LockManager> manager;
  private final Start start;
  private final LockManagers.Closing closing;

  private enum Start {
    WITH_THE_INJECTOR,
    WHEN_USED
  }

  private LeaseholdModule(
      LockSettings settings, Key<LockManager> manager, Start start, LockManagers.Closing closing) {
    this.settings = settings;
    this.manager = manager;
    this.start = start;
    this.closing = closing;
  }

  /**
   * A module on the section {@code lock}; another one is {@code of(ConfigSettings.of(config,
   * section))}.
   *
   * @param config the whole configuration, resolved, as from {@code ConfigFactory.load()}
   * @throws LockConfigurationException if the section cannot be read
   */
  public static LeaseholdModule of(Config config) {
    return of(ConfigSettings.of(config));
  }

  /** A module on settings from any source: a map, properties, the environment. */
  public static LeaseholdModule of(LockSettings settings) {
    return new LeaseholdModule(
        Objects.requireNonNull(settings, "settings"),
        Key.get(LockManager.class),
        Start.WITH_THE_INJECTOR,
        LockManagers.Closing.WITH_THE_JVM);
  }

  /** This module with a manager of this qualifier, such as {@code Names.named("billing")}. */
  public LeaseholdModule annotatedWith(Annotation qualifier) {
    return new LeaseholdModule(settings, Key.get(LockManager.class, qualifier), start, closing);
  }

  /** This module with a manager of this qualifier. */
  public LeaseholdModule annotatedWith(Class<? extends Annotation> qualifier) {
    return new LeaseholdModule(settings, Key.get(LockManager.class, qualifier), start, closing);
  }

  /**
   * This module with a manager that is opened at its first use, in every stage. A failed attempt is
   * repeated at the next use.
   */
  public LeaseholdModule lazily() {
    return new LeaseholdModule(settings, manager, Start.WHEN_USED, closing);
  }

  /**
   * This module without a shutdown hook: for an application that may end before its JVM and closes
   * {@link LockManagers} itself.
   */
  public LeaseholdModule closedByHand() {
    return new LeaseholdModule(settings, manager, start, LockManagers.Closing.BY_HAND);
  }

  @Override
  protected void configure() {
    install(new SharedModule());
    LockSettings own = ConfiguredLock.without(settings);
    List<String> problems = new ArrayList<>();
    List<ConfiguredLock> named = ConfiguredLock.in(settings, problems);
    try {
      LockManager.opener(own).check();
    } catch (LockConfigurationException e) {
      problems.addAll(0, String.valueOf(e.getMessage()).lines().toList());
    }
    problems.forEach(problem -> addError("%s", problem));
    // Bound all the same, so that missing bindings do not hide the real problem.
    boolean readable = problems.isEmpty();
    ManagerProvider opened = bindManager(own);
    LockOptions options = readable ? LockOptions.from(own) : LockOptions.defaults();
    bind(manager.ofType(ManagerOptions.class)).toInstance(new ManagerOptions(options, opened));
    for (ConfiguredLock lock : named) {
      ConfiguredKind kind = kind(lock);
      binder()
          .withSource(lock.origin())
          .bind(ConfiguredKind.class)
          .annotatedWith(Names.named(lock.id()))
          .toInstance(kind);
      bind(lock, kind.type(), readable ? lock.lockOptions() : LockOptions.defaults());
    }
    if (readable) {
      KindsCheck check = new KindsCheck(named, manager, opened, getProvider(LockedTypes.class));
      bind(manager.ofType(KindsCheck.class)).toProvider(check).asEagerSingleton();
    }
  }

  private static ConfiguredKind kind(ConfiguredLock lock) {
    try {
      return lock.kind();
    } catch (LockConfigurationException told) {
      return ConfiguredKind.LOCK;
    }
  }

  private <T> void bind(ConfiguredLock lock, Class<T> type, LockOptions options) {
    Provider<LockManager> locks = getProvider(manager);
    Provider<T> provider = () -> type.cast(lock.of(locks.get()));
    Annotation id = Names.named(lock.id());
    Binder source = binder().withSource(lock.origin());
    source.bind(LockOptions.class).annotatedWith(id).toInstance(options);
    source.bind(type).annotatedWith(id).toProvider(provider);
  }

  private ManagerProvider bindManager(LockSettings own) {
    Key<LeaseRenewer> renewer = manager.ofType(LeaseRenewer.class);
    Key<QuorumPolicy> policy = manager.ofType(QuorumPolicy.class);
    OptionalBinder.newOptionalBinder(binder(), renewer);
    OptionalBinder.newOptionalBinder(binder(), policy);
    ManagerProvider opened =
        new ManagerProvider(
            own,
            getProvider(manager.ofType(new TypeLiteral<Optional<LeaseRenewer>>() {})),
            getProvider(manager.ofType(new TypeLiteral<Optional<QuorumPolicy>>() {})),
            getProvider(LockManagers.class),
            closing);
    ScopedBindingBuilder binding = bind(manager).toProvider(opened);
    if (start == Start.WITH_THE_INJECTOR) {
      binding.asEagerSingleton();
    }
    return opened;
  }
}
