package dev.leasehold.methods.spi;

import dev.leasehold.methods.CurrentLease;
import dev.leasehold.methods.Locked;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The {@link Locked} methods of a class and its superclasses.
 *
 * @param methods the methods that calls reach
 * @param problems annotations that would have no effect
 */
public record LockedScan(List<Method> methods, List<String> problems) {

  /**
   * Identifies a method with its overrides: an override of {@code run(T)} may be {@code
   * run(String)}.
   */
  private record Signature(String name, List<Class<?>> parameters) {
    static Signature of(MemberTypes type, Method method) {
      return new Signature(method.getName(), type.parameters(method));
    }
  }

  /**
   * Scans a class. Bridge methods are ignored: javac generates them with the annotations of the
   * methods they call, and frameworks intercept those.
   */
  public static LockedScan of(Class<?> type, Framework framework) {
    MemberTypes literal = MemberTypes.of(type);
    List<Method> methods = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    Map<Signature, Method> reached = new HashMap<>();
    Set<Class<?>> interfaces = new LinkedHashSet<>();
    for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
      for (Method method : c.getDeclaredMethods()) {
        if (method.isSynthetic()) {
          continue;
        }
        boolean own =
            Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers());
        Method override = own ? null : reached.putIfAbsent(Signature.of(literal, method), method);
        if (!isLocked(method)) {
          checkParameters(method, problems);
        } else if (override == null) {
          methods.add(method);
        } else if (!isLocked(override)) {
          problems.add(lost(override, method));
        }
      }
      collectInterfaces(c, interfaces);
    }
    if (type.isInterface()) {
      return new LockedScan(List.of(), List.of());
    }
    for (Class<?> each : interfaces) {
      for (Method method : each.getDeclaredMethods()) {
        Method implementation = reached.get(Signature.of(literal, method));
        if (isLocked(method) && (implementation == null || !isLocked(implementation))) {
          problems.add(
              MethodLock.describe(method)
                  + ": it is an interface's, where "
                  + framework.name()
                  + " sees no @Locked: write it at the method in "
                  + type.getName());
        }
      }
    }
    return new LockedScan(List.copyOf(methods), List.copyOf(problems));
  }

  /** Whether the class has no {@link Locked} annotations. */
  public boolean isEmpty() {
    return methods.isEmpty() && problems.isEmpty();
  }

  private static boolean isLocked(Method method) {
    return method.isAnnotationPresent(Locked.class);
  }

  private static String lost(Method override, Method locked) {
    return MethodLock.describe(override)
        + ": it overrides "
        + MethodLock.describe(locked)
        + " without its @Locked, and would run without the lock: write it there too";
  }

  private static void checkParameters(Method method, List<String> problems) {
    if (Arrays.stream(method.getParameters())
        .anyMatch(parameter -> parameter.isAnnotationPresent(CurrentLease.class))) {
      problems.add(
          MethodLock.describe(method)
              + ": it has a parameter with @CurrentLease, but is not @Locked: it would be null");
    }
  }

  private static void collectInterfaces(Class<?> type, Set<Class<?>> found) {
    for (Class<?> each : type.getInterfaces()) {
      if (found.add(each)) {
        collectInterfaces(each, found);
      }
    }
  }
}
