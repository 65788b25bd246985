package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.methods.LockMode;
import dev.leasehold.methods.Locked;
import dev.leasehold.methods.spi.ConfiguredLock;
import dev.leasehold.methods.spi.Framework;
import dev.leasehold.methods.spi.LockedScan;
import dev.leasehold.methods.spi.MemberTypes;
import dev.leasehold.methods.spi.MethodLock;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/** The locked methods of the beans' classes; each class is scanned once. Thread-safe. */
final class LockedBeans {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.spring");
  private static final String FOREVER = "forever";

  private final ObjectProvider<LockEnvironment> locks;
  private final Framework spring;
  private final Map<Class<?>, Map<Method, MethodLock>> classes = new ConcurrentHashMap<>();

  /** Methods found before their managers were created. */
  private final Queue<MethodLock.Checked> early = new ConcurrentLinkedQueue<>();

  private volatile @Nullable ObjectProvider<LockManager> managers;
  private volatile @Nullable ListableBeanFactory beans;
  private volatile boolean started;

  LockedBeans(ObjectProvider<LockEnvironment> locks, Environment environment) {
    this.locks = locks;
    this.spring = new Spring(environment);
  }

  record Spring(Environment environment) implements Framework {
    @Override
    public String name() {
      return "Spring";
    }

    @Override
    public String resolve(String text) {
      return environment.resolveRequiredPlaceholders(text);
    }
  }

  /** Sets where managers are looked up when the first locked method is called. */
  void managers(ObjectProvider<LockManager> found, ListableBeanFactory factory) {
    this.managers = found;
    this.beans = factory;
  }

  /**
   * The lock of a method.
   *
   * @throws LockConfigurationException listing all problems of the class
   */
  Optional<MethodLock> find(Method method, Class<?> target) {
    Class<?> type = ClassUtils.getUserClass(target);
    Map<Method, MethodLock> known = classes.get(type);
    if (known == null) {
      // Not computeIfAbsent: reading may create a bean, whose class is then scanned recursively.
      known = read(type);
      classes.putIfAbsent(type, known);
    }
    return Optional.ofNullable(known.get(method));
  }

  /**
   * Called once all eager beans have been created.
   *
   * @throws LockConfigurationException listing the methods without a manager or whose manager
   *     cannot lock them, and the configured locks whose kind the manager does not support
   */
  void started() {
    started = true;
    List<String> problems = new ArrayList<>();
    Map<String, ConfiguredLock> configured = locks.getObject().configured();
    if (!configured.isEmpty() && managersAreMade()) {
      LockManager manager = Objects.requireNonNull(managers).getIfUnique();
      if (manager != null) {
        new TreeMap<>(configured)
            .values()
            .forEach(lock -> refusal(lock, manager).ifPresent(problems::add));
      }
    }
    for (MethodLock.Checked method = early.poll(); method != null; method = early.poll()) {
      refusal(method).ifPresent(problems::add);
    }
    if (!problems.isEmpty()) {
      throw new LockConfigurationException(String.join("\n", problems));
    }
  }

  /** Why the manager refuses a configured lock. */
  private static Optional<String> refusal(ConfiguredLock lock, LockManager manager) {
    if (OpenedLater.isUnopened(manager)) {
      return Optional.empty(); // reported at first use
    }
    try {
      lock.of(manager);
      return Optional.empty();
    } catch (LockConfigurationException e) {
      return Optional.of(
          "leasehold.locks." + lock.id() + " (" + lock.origin() + "): " + e.getMessage());
    }
  }

  /**
   * Why a method has no manager, or its manager refuses it. If the manager is created later, the
   * first call reports the problem.
   */
  private Optional<String> refusal(MethodLock.Checked method) {
    if (!managersAreMade()) {
      return Optional.empty();
    }
    try {
      LockManager manager = manager(method.method());
      return OpenedLater.isUnopened(manager) ? Optional.empty() : method.refusal(manager);
    } catch (NoSuchBeanDefinitionException e) {
      return Optional.of(MethodLock.describe(method.method()) + ": " + unfound(method.method(), e));
    }
  }

  private String unfound(Method method, NoSuchBeanDefinitionException why) {
    String there =
        " LockManager beans are "
            + String.join(
                ", ",
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                    Objects.requireNonNull(beans), LockManager.class));
    Qualifier qualifier = method.getAnnotation(Qualifier.class);
    return qualifier == null
        ? "it does not say which manager's lock to take: make one @Primary, or name it by"
            + " @Qualifier beside @Locked;"
            + there
        : "@Qualifier(\""
            + qualifier.value()
            + "\") beside @Locked names "
            + (why instanceof NoUniqueBeanDefinitionException ? "several managers;" : "no manager;")
            + there;
  }

  /** Includes the context's parents. A prototype-scoped manager never counts as created. */
  private boolean managersAreMade() {
    ListableBeanFactory factory = Objects.requireNonNull(beans);
    return Arrays.stream(
            BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                factory, LockManager.class, true, false))
        .allMatch(name -> isMade(factory, name));
  }

  private static boolean isMade(@Nullable BeanFactory factory, String name) {
    if (factory instanceof HierarchicalBeanFactory one && !one.containsLocalBean(name)) {
      return isMade(one.getParentBeanFactory(), name);
    }
    return factory instanceof SingletonBeanRegistry all && all.containsSingleton(name);
  }

  /** The locked methods of a bean's class. */
  static LockedScan scan(Class<?> type, Framework spring) {
    if (!AnnotationUtils.isCandidateClass(type, Locked.class)
        || type.getName().startsWith("org.springframework.")) {
      return new LockedScan(List.of(), List.of());
    }
    try {
      return LockedScan.of(type, spring);
    } catch (NoClassDefFoundError | TypeNotPresentException optionalIsMissing) {
      // Spring ignores its own annotations in such a class, too.
      return new LockedScan(List.of(), List.of());
    }
  }

  private Map<Method, MethodLock> read(Class<?> type) {
    LockedScan scan = scan(type, spring);
    List<String> problems = new ArrayList<>(scan.problems());
    Map<Method, MethodLock> methods = new HashMap<>();
    for (Method method : scan.methods()) {
      MethodLock.of(MemberTypes.of(type), method, spring, problems)
          .ifPresent(checked -> methods.put(method, on(checked, problems)));
    }
    if (!problems.isEmpty()) {
      throw new LockConfigurationException(String.join("\n", problems));
    }
    methods.keySet().forEach(this::warnIfRunOneAfterAnother);
    return Map.copyOf(methods);
  }

  /** The default suits calls; on a schedule that all instances have it is rarely meant. */
  private void warnIfRunOneAfterAnother(Method method) {
    Locked locked = method.getAnnotation(Locked.class);
    if (AnnotatedElementUtils.getMergedRepeatableAnnotations(method, Scheduled.class).isEmpty()
        || locked.mode() == LockMode.READ
        || !FOREVER.equals(spring.resolve(locked.waitFor()))) {
      return;
    }
    LOG.log(
        Level.WARNING,
        "{0} is @Scheduled, and its @Locked waits for the lock without a bound: instances that"
            + " start it at the same time run it one after another. To run it once, set waitFor ="
            + " \"0s\", onTimeout = OnTimeout.SKIP and atLeast; otherwise set waitFor to the longest"
            + " wait",
        MethodLock.describe(method));
  }

  private MethodLock on(MethodLock.Checked method, List<String> problems) {
    Map<String, ConfiguredLock> configured = locks.getObject().configured();
    Optional<ConfiguredLock> named =
        method.options().flatMap(id -> Optional.ofNullable(configured.get(id)));
    if (method.options().isPresent() && named.isEmpty()) {
      problems.add(
          MethodLock.describe(method.method())
              + ": options = \""
              + method.options().get()
              + "\": there is no leasehold.locks."
              + method.options().get()
              + " in the settings");
    }
    if (locks.getObject().areRight()) {
      named
          .flatMap(lock -> method.refusal(lock.kind(), lock.lockOptions()))
          .ifPresent(problems::add);
    }
    if (started) {
      refusal(method).ifPresent(problems::add);
    } else {
      early.add(method);
    }
    Supplier<LockOptions> options =
        SingletonSupplier.of(
            () ->
                named
                    .map(ConfiguredLock::lockOptions)
                    .orElseGet(() -> locks.getObject().defaults()));
    Supplier<LockManager> manager = SingletonSupplier.of(() -> manager(method.method()));
    return method.on(manager, options);
  }

  private LockManager manager(Method method) {
    Qualifier qualifier = method.getAnnotation(Qualifier.class);
    return qualifier == null
        ? Objects.requireNonNull(managers).getObject()
        : BeanFactoryAnnotationUtils.qualifiedBeanOfType(
            Objects.requireNonNull(beans), LockManager.class, qualifier.value());
  }
}
