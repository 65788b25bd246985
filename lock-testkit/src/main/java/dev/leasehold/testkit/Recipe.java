package dev.leasehold.testkit;

import dev.leasehold.testkit.view.KeyLayout;
import dev.leasehold.testkit.view.ValueForm;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How to make a backend under test in another JVM, as one line of text. */
public final class Recipe {
  private static final String CLASS = "class ";
  private static final String SERVICE = "service ";

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

  static String ofService(
      String id, KeyLayout layout, ValueForm form, Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("", id + " " + layout.name() + " " + form.name());
    return SERVICE
        + all.entrySet().stream()
            .map(e -> encode(e.getKey()) + "=" + encode(e.getValue()))
            .collect(Collectors.joining("&"));
  }

  /**
   * Makes the backend.
   *
   * @throws IllegalArgumentException if the text is not a recipe, or the class can't be made
   */
  public static BackendUnderTest make(String recipe) {
    if (recipe.startsWith(CLASS)) {
      try {
        Class<?> type = Class.forName(recipe.substring(CLASS.length()));
        return (BackendUnderTest) type.getConstructor().newInstance();
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException("no backend can be made of '" + recipe + "'", e);
      }
    }
    if (!recipe.startsWith(SERVICE)) {
      throw new IllegalArgumentException("not a recipe: '" + recipe + "'");
    }
    Map<String, String> settings =
        Arrays.stream(recipe.substring(SERVICE.length()).split("&"))
            .map(pair -> pair.split("=", 2))
            .collect(Collectors.toMap(pair -> decode(pair[0]), pair -> decode(pair[1])));
    String[] self = String.valueOf(settings.remove("")).split(" ");
    return new RedisBackend(
        self[0], KeyLayout.valueOf(self[1]), ValueForm.valueOf(self[2]), settings);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
