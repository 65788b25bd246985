package dev.leasehold.guice;

import com.google.inject.BindingAnnotation;
import com.google.inject.Key;
import com.google.inject.TypeLiteral;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.Setting;
import jakarta.inject.Qualifier;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a {@link Locked} method asks for, read and checked once.
 *
 * @param patience how long to wait; empty is without bound
 * @param lease the lease, if the annotation names one
 * @param atLeast the minimum hold, likewise
 * @param leaseParameters places of parameters that take the lease
 */
record LockedMethod(
    Method method,
    NameTemplate name,
    Optional<Duration> patience,
    Optional<Duration> lease,
    Optional<Duration> atLeast,
    Key<LockManager> manager,
    Optional<String> options,
    List<Integer> leaseParameters,
    Returns returns) {

  private static final String FOREVER = "forever";

  /** What is returned before the work is done, so that the lock would be given back too early. */
  private static final List<Class<?>> UNFINISHED =
      List.of(
          Future.class,
          CompletionStage.class,
          Flow.Publisher.class,
          BaseStream.class,
          Iterator.class);

  private static final String REACTIVE = "org.reactivestreams.Publisher";

  /** What Kotlin's compiler adds to a {@code suspend} function, as its last parameter. */
  private static final String CONTINUATION = "kotlin.coroutines.Continuation";

  /** When the work of a call is done. */
  enum Returns {
    /** When the method returns. */
    WHEN_DONE,
    /** When the stage completes that it returns. */
    A_STAGE
  }

  /**
   * Reads the annotation.
   *
   * @param type the class that is injected
   * @param problems takes what is wrong
   * @return empty if anything is
   */
  static Optional<LockedMethod> of(TypeLiteral<?> type, Method method, List<String> problems) {
    List<String> found = new ArrayList<>();
    cannotBeIntercepted(type.getRawType(), method).ifPresent(found::add);
    Locked locked = method.getAnnotation(Locked.class);
    Optional<NameTemplate> name = Optional.empty();
    try {
      List<Class<?>> types =
          type.getParameterTypes(method).stream().<Class<?>>map(TypeLiteral::getRawType).toList();
      name = Optional.of(NameTemplate.parse(locked.name(), method, types));
    } catch (IllegalArgumentException e) {
      found.add("name = \"" + locked.name() + "\": " + e.getMessage());
    }
    Optional<Duration> patience =
        locked.waitFor().strip().equals(FOREVER)
            ? Optional.empty()
            : duration(
                "waitFor",
                locked.waitFor(),
                Duration.ZERO,
                "forever, or a duration from 0ms to 365d",
                found);
    Optional<Duration> lease =
        locked.lease().isEmpty()
            ? Optional.empty()
            : duration(
                "lease",
                locked.lease(),
                LockOptions.SHORTEST_LEASE,
                "a duration from 10ms to 365d",
                found);
    Optional<Duration> atLeast =
        locked.atLeast().isEmpty()
            ? Optional.empty()
            : duration(
                "atLeast", locked.atLeast(), Duration.ZERO, "a duration from 0ms to 365d", found);
    Class<?> returned = type.getReturnType(method).getRawType();
    Returns returns =
        returned == CompletionStage.class || returned == CompletableFuture.class
            ? Returns.A_STAGE
            : Returns.WHEN_DONE;
    if (suspends(method)) {
      found.add(
          "it is a Kotlin suspend function, which returns at its first suspension, when the lock"
              + " would be given back: return a CompletionStage");
    }
    if (returns == Returns.WHEN_DONE && unfinished(returned)) {
      found.add(
          "it returns a "
              + returned.getName()
              + ", whose work may go on when the lock is given back: return a CompletionStage");
    }
    Key<LockManager> manager = manager(method, found);
    List<Integer> leaseParameters = leaseParameters(method, found);
    found.forEach(problem -> problems.add(describe(method) + ": " + problem));
    Optional<String> options = Optional.of(locked.options()).filter(id -> !id.isEmpty());
    return found.isEmpty()
        ? name.map(
            template ->
                new LockedMethod(
                    method,
                    template,
                    patience,
                    lease,
                    atLeast,
                    manager,
                    options,
                    leaseParameters,
                    returns))
        : Optional.empty();
  }

  private static Optional<String> cannotBeIntercepted(Class<?> injected, Method method) {
    int m = method.getModifiers();
    String kind =
        Modifier.isPrivate(m)
            ? "it is private"
            : Modifier.isStatic(m)
                ? "it is static"
                : Modifier.isFinal(m)
                    ? "it is final"
                    : Modifier.isFinal(injected.getModifiers())
                        ? injected.getName() + " is final"
                        : Modifier.isPrivate(injected.getModifiers())
                            ? injected.getName() + " is private"
                            : "";
    return kind.isEmpty()
        ? Optional.empty()
        : Optional.of(kind + ", so that Guice can't put a lock around it");
  }

  private static Optional<Duration> duration(
      String member, String text, Duration least, String allowed, List<String> problems) {
    Setting<Duration> setting =
        Setting.duration(member, least, least, LockOptions.LONGEST_LEASE, member).typed(allowed);
    try {
      return Optional.of(setting.parse(text, "@Locked"));
    } catch (LockConfigurationException e) {
      problems.add(String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private static boolean suspends(Method method) {
    Class<?>[] types = method.getParameterTypes();
    return types.length > 0 && types[types.length - 1].getName().equals(CONTINUATION);
  }

  private static boolean unfinished(Class<?> returned) {
    return UNFINISHED.stream().anyMatch(type -> type.isAssignableFrom(returned))
        || supertypes(returned).anyMatch(type -> type.getName().equals(REACTIVE));
  }

  private static Stream<Class<?>> supertypes(Class<?> type) {
    Stream<Class<?>> above =
        Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()));
    return Stream.concat(Stream.of(type), above.flatMap(LockedMethod::supertypes));
  }

  private static Key<LockManager> manager(Method method, List<String> problems) {
    List<Annotation> qualifiers =
        Arrays.stream(method.getAnnotations()).filter(LockedMethod::isQualifier).toList();
    if (qualifiers.size() > 1) {
      problems.add("it has several qualifiers, and one manager is wanted: " + qualifiers);
    }
    return qualifiers.isEmpty()
        ? Key.get(LockManager.class)
        : Key.get(LockManager.class, qualifiers.get(0));
  }

  private static boolean isQualifier(Annotation annotation) {
    Class<? extends Annotation> type = annotation.annotationType();
    return type.isAnnotationPresent(Qualifier.class)
        || type.isAnnotationPresent(BindingAnnotation.class);
  }

  private static List<Integer> leaseParameters(Method method, List<String> problems) {
    Parameter[] parameters = method.getParameters();
    List<Integer> found =
        IntStream.range(0, parameters.length)
            .filter(i -> parameters[i].isAnnotationPresent(CurrentLease.class))
            .boxed()
            .toList();
    for (int i : found) {
      if (parameters[i].getType() != Lease.class) {
        problems.add(
            "its parameter "
                + i
                + " is @CurrentLease, but a "
                + parameters[i].getType().getName()
                + " and not a "
                + Lease.class.getName());
      }
    }
    return found;
  }

  /** Class, name and parameters of a method, for messages. */
  static String describe(Method method) {
    return method.getDeclaringClass().getName()
        + "."
        + method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(", ", "(", ")"));
  }
}
