package dev.leasehold.testkit;

import static java.lang.reflect.Modifier.isPublic;
import static java.lang.reflect.Modifier.isStatic;

import dev.leasehold.testkit.view.KeyLayout;
import dev.leasehold.testkit.view.ValueForm;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes, in one line of text, how to create a backend under test in another JVM. */
public final class Recipe {
  private static final String CLASS = "class ";
  private static final String NAMED = "named ";
  private static final String SERVICE = "service ";
  private static final String SETTINGS = "settings ";

  private static final String BY_NAME = "byName";
  private static final List<Class<?>> ONE_TEXT = List.of(String.class);

  private Recipe() {}

  static String ofClass(Class<?> type) {
    boolean makeable =
        Arrays.stream(type.getConstructors()).anyMatch(made -> made.getParameterCount() == 0);
    if (!makeable) {
      throw new IllegalStateException(
          type.getName()
              + " has no public constructor without parameters: worker JVMs could not make one");
    }
    return CLASS + type.getName();
  }

  /**
   * A recipe for one of a table's backends, which then need no class of their own. Each of them
   * returns it from {@link BackendUnderTest#recipe()}.
   *
   * @param table a public class in a package that this kit can access by reflection; its public
   *     static method {@code byName} takes a name and returns a {@link BackendUnderTest}, and
   *     throws {@link IllegalArgumentException} for a name that it does not know. It also runs in
   *     worker JVMs, and there must return a backend equal to the one here
   * @param name how the table knows the backend: any text in one line
   * @throws IllegalArgumentException if the name has several lines
   * @throws IllegalStateException if the class is not such a table
   */
  public static String ofNamed(Class<?> table, String name) {
    if (name.indexOf('\n') >= 0 || name.indexOf('\r') >= 0) {
      throw new IllegalArgumentException("a backend's name must be one line: '" + name + "'");
    }
    boolean known =
        isPublic(table.getModifiers())
            && Arrays.stream(table.getMethods())
                .filter(method -> method.getName().equals(BY_NAME))
                .filter(method -> isStatic(method.getModifiers()))
                .filter(method -> BackendUnderTest.class.isAssignableFrom(method.getReturnType()))
                .anyMatch(method -> List.of(method.getParameterTypes()).equals(ONE_TEXT));
    if (!known) {
      throw new IllegalStateException(
          table.getName()
              + " is no public class with a public static method byName(String) that returns a"
              + " BackendUnderTest: worker JVMs could not make one");
    }
    return NAMED + table.getName() + " " + name;
  }

  static String ofService(Provider provider, KeyLayout layout, ValueForm form) {
    return SERVICE + words(provider, layout.name() + " " + form.name());
  }

  static String ofSettings(Provider provider, String addressKey) {
    return SETTINGS + words(provider, addressKey);
  }

  /** The settings, and under the empty key, which no setting has, the provider's id and more. */
  private static String words(Provider provider, String more) {
    return provider.and(Map.of("", provider.id() + " " + more)).entrySet().stream()
        .map(e -> encode(e.getKey()) + "=" + encode(e.getValue()))
        .collect(Collectors.joining("&"));
  }

  /**
   * Creates the backend.
   *
   * @throws IllegalArgumentException if the text is not a recipe, or the backend can't be made of
   *     it: the class or table is not there, is not as it must be, throws, or returns null; its
   *     cause is what was thrown
   */
  public static BackendUnderTest make(String recipe) {
    Throwable cause;
    try {
      return Objects.requireNonNull(made(recipe), "the table returned null");
    } catch (InvocationTargetException e) {
      cause = e.getCause();
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      cause = e;
    }
    throw new IllegalArgumentException("no backend can be made of '" + recipe + "'", cause);
  }

  private static @Nullable BackendUnderTest made(String recipe)
      throws ReflectiveOperationException {
    if (recipe.startsWith(CLASS)) {
      Class<?> type = Class.forName(recipe.substring(CLASS.length()));
      return (BackendUnderTest) type.getConstructor().newInstance();
    }
    if (recipe.startsWith(NAMED)) {
      String[] words = recipe.substring(NAMED.length()).split(" ", 2);
      Method byName = Class.forName(words[0]).getMethod(BY_NAME, String.class);
      return (BackendUnderTest) byName.invoke(null, words[1]);
    }
    if (recipe.startsWith(SERVICE)) {
      Map<String, String> settings = settings(recipe.substring(SERVICE.length()));
      String[] self = self(settings);
      return new RedisBackend(
          new Provider(self[0], settings), KeyLayout.valueOf(self[1]), ValueForm.valueOf(self[2]));
    }
    if (recipe.startsWith(SETTINGS)) {
      Map<String, String> settings = settings(recipe.substring(SETTINGS.length()));
      String[] self = self(settings);
      return ServiceBackend.opened(new Provider(self[0], settings), self[1]);
    }
    throw new IllegalArgumentException("not a recipe");
  }

  private static Map<String, String> settings(String words) {
    return Arrays.stream(words.split("&"))
        .map(pair -> pair.split("=", 2))
        .collect(Collectors.toMap(pair -> decode(pair[0]), pair -> decode(pair[1])));
  }

  private static String[] self(Map<String, String> settings) {
    return String.valueOf(settings.remove("")).split(" ");
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
