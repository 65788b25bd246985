package dev.leasehold.methods.spi;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.methods.CurrentLease;
import dev.leasehold.methods.LockMode;
import dev.leasehold.methods.Locked;
import dev.leasehold.methods.OnTimeout;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The settings of a {@code @Locked} method, read and checked once.
 *
 * @param mode which lock of the name
 * @param patience how long to wait; empty if unbounded
 * @param lease the lease, if the annotation sets one
 * @param atLeast the minimum hold, likewise
 * @param onTimeout what happens to a call that does not get the lock
 * @param leaseParameters indexes of the parameters that receive the lease
 */
record LockedMethod(
    Method method,
    NameTemplate name,
    LockMode mode,
    Optional<Duration> patience,
    Optional<Duration> lease,
    Optional<Duration> atLeast,
    OnTimeout onTimeout,
    Optional<String> options,
    List<Integer> leaseParameters,
    Returns returns) {

  private static final String FOREVER = "forever";

  /**
   * Return types whose work continues after the return, so that the lock would be released too
   * early.
   */
  private static final List<Class<?>> UNFINISHED =
      List.of(
          Future.class,
          CompletionStage.class,
          Flow.Publisher.class,
          BaseStream.class,
          Iterator.class);

  private static final String REACTIVE = "org.reactivestreams.Publisher";

  /** The last parameter that Kotlin's compiler adds to a {@code suspend} function. */
  private static final String CONTINUATION = "kotlin.coroutines.Continuation";

  /** When the work of a call has ended. */
  enum Returns {
    /** When the method returns. */
    WHEN_DONE,
    /** When the returned stage completes. */
    A_STAGE,
    /** When the returned Mono ends, for each subscriber. */
    A_MONO,
    /** When the returned Flux ends, for each subscriber. */
    A_FLUX;

    /** By a method's return type. Works without Reactor on the path. */
    static Returns of(Class<?> type) {
      if (type == CompletionStage.class || type == CompletableFuture.class) {
        return A_STAGE;
      }
      return switch (type.getName()) {
        case "reactor.core.publisher.Mono" -> A_MONO;
        case "reactor.core.publisher.Flux" -> A_FLUX;
        default -> WHEN_DONE;
      };
    }
  }

  /**
   * Reads the annotation.
   *
   * @param type the class of the object
   * @param problems receives the problems
   * @return empty if there are problems
   */
  static Optional<LockedMethod> of(
      MemberTypes type, Method method, Framework framework, List<String> problems) {
    List<String> found = new ArrayList<>();
    cannotBeIntercepted(type.raw(), method, framework).ifPresent(found::add);
    Locked locked = method.getAnnotation(Locked.class);
    Optional<NameTemplate> name = Optional.empty();
    try {
      String template = framework.resolve(locked.name());
      name = Optional.of(NameTemplate.parse(template, method, type.parameters(method)));
    } catch (IllegalArgumentException e) {
      found.add("name = \"" + locked.name() + "\": " + e.getMessage());
    }
    Texts texts = new Texts(framework, found);
    String waitFor = texts.of("waitFor", locked.waitFor());
    Optional<Duration> patience =
        texts.duration(
            "waitFor", waitFor, FOREVER, Duration.ZERO, "forever, or a duration from 0ms to 365d");
    String ownLease = texts.of("lease", locked.lease());
    Optional<Duration> lease =
        texts.duration(
            "lease", ownLease, "", LockOptions.SHORTEST_LEASE, "a duration from 10ms to 365d");
    String minimum = texts.of("atLeast", locked.atLeast());
    Optional<Duration> atLeast =
        texts.duration("atLeast", minimum, "", Duration.ZERO, "a duration from 0ms to 365d");
    Class<?> returned = type.returned(method);
    Returns returns = Returns.of(returned);
    if (suspends(method)) {
      found.add(
          "it is a Kotlin suspend function, which returns at its first suspension, when the lock"
              + " would be released: return a CompletionStage");
    }
    if (returns == Returns.WHEN_DONE && unfinished(returned)) {
      found.add(
          "it returns "
              + returned.getName()
              + ", whose work may go on when the lock is released: return a CompletionStage, or"
              + " Reactor's Mono or Flux");
    }
    if (locked.onTimeout() == OnTimeout.SKIP && returned != void.class) {
      found.add(
          "onTimeout = SKIP, but it returns "
              + returned.getName()
              + ", which a call that is skipped would not have: return void");
    }
    if (locked.onTimeout() == OnTimeout.SKIP && waitFor.strip().equals(FOREVER)) {
      found.add("onTimeout = SKIP, but it waits forever: set waitFor, to 0s for one attempt");
    }
    if (locked.mode() != LockMode.PLAIN && atLeast.isPresent() && !atLeast.get().isZero()) {
      found.add(
          "atLeast = \""
              + minimum
              + "\" with mode = "
              + locked.mode()
              + ": the sides of a read/write lock have no minimum hold: leave it out, or the mode");
    }
    List<Integer> leaseParameters = leaseParameters(method, found);
    found.forEach(problem -> problems.add(MethodLock.describe(method) + ": " + problem));
    Optional<String> options = Optional.of(locked.options()).filter(id -> !id.isEmpty());
    return found.isEmpty()
        ? name.map(
            template ->
                new LockedMethod(
                    method,
                    template,
                    locked.mode(),
                    patience,
                    lease,
                    atLeast,
                    locked.onTimeout(),
                    options,
                    leaseParameters,
                    returns))
        : Optional.empty();
  }

  private static Optional<String> cannotBeIntercepted(
      Class<?> made, Method method, Framework framework) {
    int m = method.getModifiers();
    String kind =
        Modifier.isPrivate(m)
            ? "it is private"
            : Modifier.isStatic(m)
                ? "it is static"
                : Modifier.isFinal(m)
                    ? "it is final"
                    : Modifier.isFinal(made.getModifiers())
                        ? made.getName() + " is final"
                        : framework.cannotIntercept(made, method).orElse("");
    return kind.isEmpty()
        ? Optional.empty()
        : Optional.of(kind + ", so that " + framework.name() + " can't put a lock around it");
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

  /** The annotation's texts, with placeholders resolved. */
  private record Texts(Framework framework, List<String> problems) {
    String of(String member, String text) {
      try {
        return framework.resolve(text);
      } catch (IllegalArgumentException e) {
        problems.add(member + " = \"" + text + "\": " + e.getMessage());
        return text;
      }
    }

    /** Parses a duration; empty if there is none, or it is wrong. */
    Optional<Duration> duration(
        String member, String text, String none, Duration least, String allowed) {
      if ((none.isEmpty() ? text : text.strip()).equals(none)) {
        return Optional.empty();
      }
      Setting<Duration> setting =
          Setting.duration(member, least, least, LockOptions.LONGEST_LEASE, member).typed(allowed);
      try {
        return Optional.of(setting.parse(text, "@Locked"));
      } catch (LockConfigurationException e) {
        problems.add(String.valueOf(e.getMessage()));
        return Optional.empty();
      }
    }
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
                + " is @CurrentLease, but of type "
                + parameters[i].getType().getName()
                + " and not "
                + Lease.class.getName());
      }
    }
    return found;
  }
}
