package dev.leasehold.examples.source;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A module's {@code reachability-metadata.json}, with the parts of GraalVM's published schema
 * (v1.0.0) that are used here: {@code reflection} of types, which may be proxies, with methods; and
 * {@code resources} by glob.
 */
record NativeMetadata(Map<String, Object> json) {
  private static final Set<String> TOP = Set.of("comment", "reflection", "resources");
  private static final Set<String> REFLECTION =
      Set.of("reason", "condition", "type", "methods", "fields", "allPublicMethods");
  private static final Set<String> RESOURCE = Set.of("reason", "condition", "module", "glob");

  /** Reads the file from the place in the jar where GraalVM looks for it. */
  static NativeMetadata of(String module) throws IOException {
    Path file =
        NativeImageTest.resources(module)
            .resolve("META-INF/native-image/dev.leasehold")
            .resolve(module)
            .resolve("reachability-metadata.json");
    return parsed(Files.readString(file));
  }

  static NativeMetadata parsed(String text) {
    Config config =
        ConfigFactory.parseString(text, ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON));
    return new NativeMetadata(config.root().unwrapped());
  }

  /** The deviations from the schema. */
  List<String> faults() {
    List<String> faults = new ArrayList<>(others(json, TOP));
    for (Map<?, ?> each : objects("reflection")) {
      faults.addAll(others(each, REFLECTION));
      Object type = each.get("type");
      if (!(type instanceof String)
          && !(type instanceof Map<?, ?> proxy && proxy.keySet().equals(Set.of("proxy")))) {
        faults.add("no type: " + each);
      }
      faults.addAll(members(each.get("methods"), Set.of("name", "parameterTypes")));
      faults.addAll(members(each.get("fields"), Set.of("name")));
    }
    for (Map<?, ?> each : objects("resources")) {
      faults.addAll(others(each, RESOURCE));
      if (!(each.get("glob") instanceof String)) {
        faults.add("no glob: " + each);
      }
    }
    return faults;
  }

  private static List<String> members(@Nullable Object listed, Set<String> allowed) {
    List<String> faults = new ArrayList<>();
    for (Object member : listed instanceof List<?> all ? all : List.of()) {
      boolean right =
          member instanceof Map<?, ?> m
              && m.get("name") instanceof String
              && others(m, allowed).isEmpty();
      if (!right) {
        faults.add("no member: " + member);
      }
    }
    return faults;
  }

  private static List<String> others(Map<?, ?> object, Set<String> allowed) {
    return object.keySet().stream()
        .map(String::valueOf)
        .filter(key -> !allowed.contains(key))
        .map(key -> "unknown: " + key)
        .toList();
  }

  private List<Map<?, ?>> objects(String key) {
    List<Map<?, ?>> all = new ArrayList<>();
    if (json.get(key) instanceof List<?> list) {
      list.forEach(each -> all.add((Map<?, ?>) each));
    }
    return all;
  }

  boolean hasResource(String file) {
    return objects("resources").stream()
        .map(each -> "glob:" + each.get("glob"))
        .anyMatch(glob -> FileSystems.getDefault().getPathMatcher(glob).matches(Path.of(file)));
  }

  /** Whether it registers a provider's constructor. */
  boolean makes(String type) {
    return objects("reflection").stream()
        .filter(each -> type.equals(each.get("type")))
        .anyMatch(each -> String.valueOf(each.get("methods")).contains("name=<init>"));
  }

  /** All its entries, as text. */
  Set<String> entries() {
    Set<String> entries = new HashSet<>();
    objects("resources").forEach(each -> entries.add(String.valueOf(each.get("glob"))));
    for (Map<?, ?> each : objects("reflection")) {
      if (each.get("type") instanceof Map<?, ?> proxy) {
        ((List<?>) proxy.get("proxy")).forEach(type -> entries.add("proxy of " + type));
      } else {
        String all = Boolean.TRUE.equals(each.get("allPublicMethods")) ? "all methods of " : "";
        entries.add(all + each.get("type"));
        for (Object field : each.get("fields") instanceof List<?> fields ? fields : List.of()) {
          entries.add(each.get("type") + "." + ((Map<?, ?>) field).get("name"));
        }
      }
    }
    return entries;
  }
}
