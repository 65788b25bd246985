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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The lock name of a {@code @Locked} method: text with references to parameters or their
 * properties. Deliberately not an expression language: it only calls getters of the declared types,
 * and converts a few JDK types to text. So it can be checked in advance.
 */
final class NameTemplate {
  /**
   * Types whose texts are equal exactly if the values are. With other types, equal calls might use
   * different locks.
   */
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

  private static final Pattern VARIABLE = Pattern.compile("#([A-Za-z_$][\\w$]*)");

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
   * Parses a name.
   *
   * @param types the method's parameter types, without type variables
   * @throws IllegalArgumentException that explains the mistake
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
        parts.add(literal(text.toString(), method));
        text.setLength(0);
        parts.add(reference(name.substring(i + 1, end), method, types));
        i = end;
      } else {
        text.append(c);
      }
    }
    parts.add(literal(text.toString(), method));
    return new NameTemplate(method, List.copyOf(parts));
  }

  /** Refuses a parameter in SpEL's form: as plain text, it would be one lock for all calls. */
  private static Part literal(String text, Method method) {
    Parameter[] parameters = method.getParameters();
    Matcher variable = VARIABLE.matcher(text);
    while (variable.find()) {
      String found = variable.group(1);
      for (int i = 0; i < parameters.length; i++) {
        String name = parameters[i].isNamePresent() ? parameters[i].getName() : String.valueOf(i);
        if (List.of(name, "p" + i, "a" + i).contains(found)) {
          throw new IllegalArgumentException(
              "#"
                  + found
                  + " would be text here: write {"
                  + name
                  + "}, or {"
                  + name
                  + ".id} for a"
                  + " property");
        }
      }
    }
    return arguments -> text;
  }

  private static Reference reference(String reference, Method method, List<Class<?>> types) {
    List<String> steps = List.of(reference.split("\\.", -1));
    int index = index(steps.get(0), method);
    PropertyPath path =
        PropertyPath.of(reference, types.get(index), steps.subList(1, steps.size()));
    if (!TYPES.contains(path.type()) && !path.type().isEnum()) {
      throw new IllegalArgumentException(
          "{"
              + reference
              + "} is of type "
              + path.type().getName()
              + ", whose text may differ for equal values: name a property of it, as {"
              + reference
              + ".id}, that is a String, a number, a UUID or an enum, or pass that");
    }
    return new Reference(index, path, method);
  }

  private record Reference(int index, PropertyPath path, Method method) implements Part {
    @Override
    public String text(@Nullable Object[] arguments) {
      Object value = path.of(arguments[index], method);
      return value instanceof Enum<?> constant ? constant.name() : value.toString();
    }
  }

  private static int index(String reference, Method method) {
    if (reference.startsWith("#")) {
      throw new IllegalArgumentException(
          "{"
              + reference
              + "}: a name of SpEL begins with #, and here none does: write orders:{order.id}");
    }
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

  /** The methods called on arguments: a native image must keep them. */
  List<Method> accessors() {
    return parts.stream()
        .filter(Reference.class::isInstance)
        .flatMap(part -> ((Reference) part).path().accessors().stream())
        .toList();
  }

  /**
   * The name for a call.
   *
   * @throws IllegalArgumentException if a referenced argument, or a property on the path, is null
   */
  String name(@Nullable Object[] arguments) {
    return parts.stream().map(part -> part.text(arguments)).collect(Collectors.joining());
  }

  @Override
  public String toString() {
    return "NameTemplate[" + MethodLock.describe(method) + "]";
  }
}
