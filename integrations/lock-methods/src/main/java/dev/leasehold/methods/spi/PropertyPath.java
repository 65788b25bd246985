package dev.leasehold.methods.spi;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A path to a value in an argument of a call: {@code customer.id}. A property is a record component
 * or a public getter of the declared type; nothing else is called. Immutable.
 *
 * @param type of the value at its end
 */
record PropertyPath(String reference, Class<?> type, List<Method> accessors) {

  /**
   * Parses a path.
   *
   * @param reference the full reference, for messages: {@code order.customer.id}
   * @param root the type of the argument
   * @param properties in order; none for the argument itself
   * @throws IllegalArgumentException that names the missing property
   */
  static PropertyPath of(String reference, Class<?> root, List<String> properties) {
    List<Method> accessors = new ArrayList<>();
    Class<?> type = root;
    for (String property : properties) {
      Class<?> owner = type;
      Method accessor =
          accessor(owner, property)
              .orElseThrow(() -> new IllegalArgumentException(missing(reference, owner, property)));
      if (!accessor.trySetAccessible()) {
        throw new IllegalArgumentException(
            "{"
                + reference
                + "}: "
                + owner.getName()
                + "."
                + accessor.getName()
                + "() can't be called: its module does not open the package to"
                + " dev.leasehold.methods");
      }
      accessors.add(accessor);
      type = MemberTypes.of(owner).returned(accessor);
    }
    return new PropertyPath(reference, type, List.copyOf(accessors));
  }

  private static String missing(String reference, Class<?> owner, String property) {
    String begins = "{" + reference + "}: ";
    if (!isIdentifier(property)) {
      return begins
          + "'"
          + property
          + "' is no name of a property; there are no further expressions: {order.customer.id} is"
          + " all that can be said";
    }
    return begins
        + owner.getName()
        + " has no property '"
        + property
        + "' (a component of a record, or a public getter); there are "
        + String.join(", ", properties(owner));
  }

  private static boolean isIdentifier(String text) {
    return !text.isEmpty()
        && Character.isJavaIdentifierStart(text.charAt(0))
        && text.chars().allMatch(Character::isJavaIdentifierPart);
  }

  private static Optional<Method> accessor(Class<?> owner, String property) {
    return Arrays.stream(owner.getMethods())
        .filter(method -> !method.isBridge())
        .filter(method -> property(owner, method).filter(property::equals).isPresent())
        .min((a, b) -> Boolean.compare(isComponent(owner, b), isComponent(owner, a)));
  }

  private static TreeSet<String> properties(Class<?> owner) {
    TreeSet<String> found = new TreeSet<>();
    for (Method method : owner.getMethods()) {
      property(owner, method).ifPresent(found::add);
    }
    return found;
  }

  /** The property that a method reads, if any. */
  private static Optional<String> property(Class<?> owner, Method method) {
    String name = method.getName();
    if (method.getParameterCount() > 0
        || Modifier.isStatic(method.getModifiers())
        || method.getReturnType() == void.class
        || method.getDeclaringClass() == Object.class) {
      return Optional.empty();
    }
    if (isComponent(owner, method)) {
      return Optional.of(name);
    }
    if (name.length() > 3 && name.startsWith("get")) {
      return decapitalized(name.substring(3));
    }
    return name.length() > 2 && name.startsWith("is") && method.getReturnType() == boolean.class
        ? decapitalized(name.substring(2))
        : Optional.empty();
  }

  private static boolean isComponent(Class<?> owner, Method method) {
    RecordComponent[] components = owner.getRecordComponents();
    return components != null
        && Arrays.stream(components).anyMatch(one -> one.getAccessor().equals(method));
  }

  /** The JavaBeans rule: {@code getURL} gives {@code URL}, {@code getId} gives {@code id}. */
  private static Optional<String> decapitalized(String name) {
    boolean letters =
        name.length() > 1
            && Character.isUpperCase(name.charAt(0))
            && Character.isUpperCase(name.charAt(1));
    return Optional.of(letters ? name : Character.toLowerCase(name.charAt(0)) + name.substring(1));
  }

  /**
   * The value for an argument.
   *
   * @throws IllegalArgumentException if the argument, or a property on the path, is null
   */
  Object of(@Nullable Object argument, Method locked) {
    Object value = checked(argument, locked, "the argument for {" + reference + "}");
    for (Method accessor : accessors) {
      value =
          checked(call(accessor, value), locked, accessor.getName() + "() for {" + reference + "}");
    }
    return value;
  }

  private static Object checked(@Nullable Object value, Method locked, String what) {
    if (value == null) {
      throw new IllegalArgumentException(
          MethodLock.describe(locked) + ": " + what + " is null, and so there is no name to lock");
    }
    return value;
  }

  private static @Nullable Object call(Method accessor, Object on) {
    try {
      return accessor.invoke(on);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      if (e.getCause() instanceof Error thrown) {
        throw thrown;
      }
      throw new IllegalStateException(MethodLock.describe(accessor) + " failed", e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(MethodLock.describe(accessor) + " can't be called", e);
    }
  }
}
