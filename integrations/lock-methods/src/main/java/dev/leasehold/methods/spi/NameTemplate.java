package dev.leasehold.methods.spi;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The name of a {@code @Locked} method's lock: text, and references to parameters. Deliberately no
 * language: nothing is called on an argument but the text of a few types of the JDK.
 */
final class NameTemplate {
  /** Types whose text is equal exactly where the values are. Others would never lock the same. */
  private static final Set<Class<?>> TYPES =
      Set.of(
          String.class,
          byte.class,
          Byte.class,
          short.class,
          Short.class,
          int.class,
          Integer.class,
          long.class,
          Long.class,
          boolean.class,
          Boolean.class,
          char.class,
          Character.class,
          BigInteger.class,
          UUID.class,
          Instant.class,
          LocalDate.class,
          YearMonth.class);

  private final Method method;
  private final List<Part> parts;

  private interface Part {
    String text(@Nullable Object[] arguments);
  }

  private NameTemplate(Method method, List<Part> parts) {
    this.method = method;
    this.parts = parts;
  }

  /**
   * Reads a name.
   *
   * @param types the method's parameter types, without type variables
   * @throws IllegalArgumentException saying what is wrong
   */
  static NameTemplate parse(String name, Method method, List<Class<?>> types) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("the name is empty");
    }
    List<Part> parts = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if ((c == '{' || c == '}') && i + 1 < name.length() && name.charAt(i + 1) == c) {
        text.append(c);
        i++;
      } else if (c == '}') {
        throw new IllegalArgumentException("a } without {; one that is meant is written }}");
      } else if (c == '{') {
        int end = name.indexOf('}', i);
        if (end < 0) {
          throw new IllegalArgumentException("a { without }; one that is meant is written {{");
        }
        parts.add(literal(text.toString()));
        text.setLength(0);
        parts.add(reference(name.substring(i + 1, end), method, types));
        i = end;
      } else {
        text.append(c);
      }
    }
    parts.add(literal(text.toString()));
    return new NameTemplate(method, List.copyOf(parts));
  }

  private static Part literal(String text) {
    return arguments -> text;
  }

  private static Part reference(String reference, Method method, List<Class<?>> types) {
    int index = index(reference, method);
    Class<?> type = types.get(index);
    if (!TYPES.contains(type) && !type.isEnum()) {
      throw new IllegalArgumentException(
          "{"
              + reference
              + "} is a "
              + type.getName()
              + ", whose text may differ for equal values: pass its id as a String, a number, a"
              + " UUID or an enum");
    }
    return arguments -> {
      Object argument = arguments[index];
      if (argument == null) {
        throw new IllegalArgumentException(
            MethodLock.describe(method)
                + ": the argument for {"
                + reference
                + "} is null, and so there is no name to lock");
      }
      return argument instanceof Enum<?> constant ? constant.name() : argument.toString();
    };
  }

  private static int index(String reference, Method method) {
    Parameter[] parameters = method.getParameters();
    if (!reference.isEmpty()
        && reference.length() < 4
        && reference.chars().allMatch(c -> c >= '0' && c <= '9')) {
      int index = Integer.parseInt(reference);
      if (index >= parameters.length) {
        throw new IllegalArgumentException(
            "{" + reference + "} counts from 0, and the parameters are " + parameters.length);
      }
      return index;
    }
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].isNamePresent() && parameters[i].getName().equals(reference)) {
        return i;
      }
    }
    if (parameters.length > 0 && !parameters[0].isNamePresent()) {
      throw new IllegalArgumentException(
          "{"
              + reference
              + "} can't be looked up, as the class was compiled without -parameters: write {0} for"
              + " the first parameter");
    }
    throw new IllegalArgumentException(
        "{"
            + reference
            + "} is no parameter; there are "
            + Arrays.stream(parameters).map(Parameter::getName).collect(Collectors.joining(", ")));
  }

  /**
   * The name for a call.
   *
   * @throws IllegalArgumentException if an argument that it refers to is null
   */
  String name(@Nullable Object[] arguments) {
    return parts.stream().map(part -> part.text(arguments)).collect(Collectors.joining());
  }

  @Override
  public String toString() {
    return "NameTemplate[" + MethodLock.describe(method) + "]";
  }
}
