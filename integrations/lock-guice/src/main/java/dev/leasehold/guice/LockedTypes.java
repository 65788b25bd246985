package dev.leasehold.guice;

import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Provider;
import com.google.inject.TypeLiteral;
import com.google.inject.name.Names;
import com.google.inject.spi.InjectionListener;
import com.google.inject.spi.ProvisionListener;
import com.google.inject.spi.TypeEncounter;
import com.google.inject.spi.TypeListener;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.methods.spi.ConfiguredKind;
import dev.leasehold.methods.spi.LockedScan;
import dev.leasehold.methods.spi.MethodLock;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Hears of every type that Guice injects, checks its {@link dev.leasehold.methods.Locked} methods
 * and puts interceptors around them; and refuses objects that Guice could not put any around.
 */
final class LockedTypes implements TypeListener, ProvisionListener {
  /** Guice's own mark in the names of the classes that it derives. */
  private static final String ENHANCED = "$$EnhancerByGuice$$";

  /** What would run without a lock in an object of a class; empty if nothing would. */
  private static final ClassValue<String> UNLOCKED =
      new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
          return unlocked(type);
        }
      };

  private final Queue<GuiceMethod> unchecked = new ConcurrentLinkedQueue<>();

  /** Those that take a side of a read/write lock, and were there before their managers. */
  private final Queue<GuiceMethod> sides = new ConcurrentLinkedQueue<>();

  private volatile @Nullable Injector created;

  @Override
  public <I> void hear(TypeLiteral<I> type, TypeEncounter<I> encounter) {
    LockedScan scan = LockedScan.of(type.getRawType(), GuiceMethod.GUICE);
    List<String> problems = new ArrayList<>(scan.problems());
    List<GuiceMethod> methods = new ArrayList<>();
    scan.methods().forEach(m -> GuiceMethod.of(type, m, problems).ifPresent(methods::add));
    Injector injector = created;
    for (GuiceMethod method : methods) {
      Provider<Injector> later = encounter.getProvider(Injector.class);
      encounter.bindInterceptor(method.locked().method()::equals, interceptor(method, later));
      if (injector == null) {
        unchecked.add(method);
        if (method.locked().takesASide()) {
          sides.add(method);
        }
      } else {
        problems.addAll(unbound(method, injector));
      }
    }
    problems.forEach(problem -> encounter.addError("%s", problem));
    if (!methods.isEmpty()) {
      encounter.register((InjectionListener<I>) LockedTypes::mustBeEnhanced);
    }
  }

  private static LockInterceptor interceptor(GuiceMethod method, Provider<Injector> injector) {
    Bound<ManagerOptions> defaults = new Bound<>(injector, defaults(method));
    Provider<LockOptions> options =
        method
            .locked()
            .options()
            .<Provider<LockOptions>>map(id -> new Bound<>(injector, options(id)))
            .orElse(() -> defaults.get().options());
    Bound<LockManager> manager = new Bound<>(injector, method.manager());
    return new LockInterceptor(method.locked().on(manager::get, options::get));
  }

  private static Key<ManagerOptions> defaults(GuiceMethod method) {
    return method.manager().ofType(ManagerOptions.class);
  }

  private static Key<LockOptions> options(String id) {
    return Key.get(LockOptions.class, Names.named(id));
  }

  /** An application may bind options without a lock; they are then a lock's. */
  private static ConfiguredKind kind(String id, Injector injector) {
    Key<ConfiguredKind> key = Key.get(ConfiguredKind.class, Names.named(id));
    return injector.getExistingBinding(key) == null
        ? ConfiguredKind.LOCK
        : injector.getInstance(key);
  }

  /**
   * Checks what could not be checked while bindings were still being made.
   *
   * @throws LockConfigurationException listing the methods that ask for what nobody binds
   */
  LockedTypes check(Injector injector) {
    created = injector;
    List<String> problems = new ArrayList<>();
    for (GuiceMethod method = unchecked.poll(); method != null; method = unchecked.poll()) {
      problems.addAll(unbound(method, injector));
    }
    if (!problems.isEmpty()) {
      throw new LockConfigurationException(String.join("\n", problems));
    }
    return this;
  }

  /** Why a manager that was opened can't put its methods under locks, a sentence for each. */
  List<String> refused(Key<LockManager> key, LockManager manager) {
    return sides.stream()
        .filter(method -> method.manager().equals(key))
        .flatMap(method -> method.locked().refusal(manager).stream())
        .toList();
  }

  private static List<String> unbound(GuiceMethod method, Injector injector) {
    List<String> problems = new ArrayList<>();
    if (injector.getExistingBinding(defaults(method)) != null) {
      ManagerOptions manager = injector.getInstance(defaults(method));
      manager.manager().opened().flatMap(method.locked()::refusal).ifPresent(problems::add);
    } else {
      problems.add(
          MethodLock.describe(method.locked().method())
              + ": no LeaseholdModule of this injector binds "
              + (method.manager().getAnnotationType() == null
                  ? "a LockManager without a qualifier"
                  : "the LockManager of its qualifier, " + method.manager()));
    }
    method
        .locked()
        .options()
        .filter(id -> injector.getExistingBinding(options(id)) == null)
        .ifPresent(
            id ->
                problems.add(
                    MethodLock.describe(method.locked().method())
                        + ": options = \""
                        + id
                        + "\": there is no lock.locks."
                        + id
                        + " in the settings"));
    if (problems.isEmpty()) {
      method
          .locked()
          .options()
          .flatMap(
              id -> method.locked().refusal(kind(id, injector), injector.getInstance(options(id))))
          .ifPresent(problems::add);
    }
    return problems;
  }

  @Override
  public <T> void onProvision(ProvisionInvocation<T> provision) {
    T made = provision.provision();
    if (made != null) {
      mustBeEnhanced(made);
    }
  }

  private static void mustBeEnhanced(Object made) {
    String problem = UNLOCKED.get(made.getClass());
    if (!problem.isEmpty()) {
      throw new LockConfigurationException(problem);
    }
  }

  private static String unlocked(Class<?> type) {
    if (!type.getName().contains(ENHANCED)) {
      return LockedScan.of(type, GuiceMethod.GUICE).isEmpty()
          ? ""
          : type.getName()
              + " has @Locked methods, but was not made by Guice itself (toInstance, a provider or"
              + " @Provides made it), so that they would run without a lock: bind the class";
    }
    return LockedScan.of(type.getSuperclass(), GuiceMethod.GUICE).methods().stream()
        .filter(method -> !overridden(method, type))
        .map(
            method ->
                MethodLock.describe(method)
                    + ": Guice could not put a lock around it: make it public, and open its"
                    + " package to com.google.guice")
        .collect(Collectors.joining("\n"));
  }

  private static boolean overridden(Method method, Class<?> enhanced) {
    // None is there for a method of the package, say, where Guice may not define classes in it.
    return Arrays.stream(enhanced.getDeclaredMethods())
        .anyMatch(
            own ->
                own.getName().equals(method.getName())
                    && own.getReturnType() == method.getReturnType()
                    && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
  }
}
