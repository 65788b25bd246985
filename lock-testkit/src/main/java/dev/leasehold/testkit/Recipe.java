package dev.leasehold.testkit;

import dev.leasehold.testkit.view.KeyLayout;
import dev.leasehold.testkit.view.ValueForm;
import java.lang.reflect.Method;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** Describes, in one line of text, how to create a backend under test in another JVM. */
public final class Recipe {
  private static final String CLASS = "class ";
  private static final String NAMED = "named ";
  private static final String SERVICE = "service ";
  private static final String SETTINGS = "settings ";

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
   * A recipe for one of a table's backends, which then need no class of their own.
   *
   * @param table a public class; its public static method {@code byName} returns the backend of a
   *     name
   */
  public static String ofNamed(Class<?> table, String name) {
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
   * @throws IllegalArgumentException if the text is not a recipe, or the class cannot be
   *     instantiated
   */
  public static BackendUnderTest make(String recipe) {
    try {
      if (recipe.startsWith(CLASS)) {
        Class<?> type = Class.forName(recipe.substring(CLASS.length()));
        return (BackendUnderTest) type.getConstructor().newInstance();
      }
      if (recipe.startsWith(NAMED)) {
        String[] words = recipe.substring(NAMED.length()).split(" ", 2);
        Method byName = Class.forName(words[0]).getMethod("byName", String.class);
        return (BackendUnderTest) byName.invoke(null, words[1]);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("no backend can be made of '" + recipe + "'", e);
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
    throw new IllegalArgumentException("not a recipe: '" + recipe + "'");
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
