package dev.leasehold.redlock;

import dev.leasehold.redis.common.Script;
import dev.leasehold.simulation.OtherScripts;
import dev.leasehold.simulation.Shipped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * All {@link ScriptMutation}s of the production scripts, and for each the stories that run its
 * file, fastest first. Not thread-safe.
 */
final class ScriptMutations {
  private static final String FOLDER =
      "lock-redis-common/src/main/resources/dev/leasehold/redis/common";

  private record Timed(String story, long nanos) {}

  private final MutantLoader shipped = new MutantLoader(List.of());
  private final Map<String, String> files = new TreeMap<>();
  private final Map<String, List<Timed>> storiesOf = new HashMap<>();

  ScriptMutations() {
    try (Stream<Path> paths = Files.list(Edit.root().resolve(FOLDER))) {
      paths
          .map(path -> path.getFileName().toString())
          .filter(name -> name.endsWith(".lua"))
          .forEach(name -> files.put(name, Shipped.text(Script.class, name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<ScriptMutation> all() {
    return files.entrySet().stream()
        .flatMap(file -> ScriptMutation.of(file.getKey(), file.getValue()).stream())
        .toList();
  }

  /** Runs each story once, to learn which files it uses. */
  ScriptMutations learn() throws Throwable {
    for (String story : Stories.all()) {
      List<String> ran = new ArrayList<>();
      long from = System.nanoTime();
      OtherScripts.during(
          script -> {
            ran.add(script);
            return script;
          },
          () -> Stories.tell(shipped, story));
      Timed timed = new Timed(story, System.nanoTime() - from);
      files.forEach(
          (name, text) -> {
            if (ran.stream().anyMatch(script -> script.contains(text))) {
              storiesOf.computeIfAbsent(name, key -> new ArrayList<>()).add(timed);
            }
          });
    }
    storiesOf.values().forEach(stories -> stories.sort(Comparator.comparing(Timed::nanos)));
    return this;
  }

  /** The first story that fails on a mutation; empty if it survives. */
  Optional<String> killer(ScriptMutation mutation) {
    String before = files.get(mutation.file());
    for (Timed each : storiesOf.getOrDefault(mutation.file(), List.of())) {
      try {
        OtherScripts.during(
            script -> script.replace(before, mutation.text()),
            () -> Stories.tell(shipped, each.story));
      } catch (Throwable failure) {
        return Optional.of(each.story);
      }
    }
    return Optional.empty();
  }
}
