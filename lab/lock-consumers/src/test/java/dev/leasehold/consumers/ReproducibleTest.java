package dev.leasehold.consumers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Two builds of the same sources give the same jars, byte by byte")
@Timeout(value = 80, unit = TimeUnit.MINUTES)
class ReproducibleTest {
  /** What is published, with sources and Javadoc. */
  private static final List<String> GOALS =
      List.of("-Prelease", "-Dgpg.skip", "-Dmaven.test.skip", "package");

  @TempDir Path scratch;

  @Test
  @DisplayName("In another folder, time zone and language too")
  void twice() throws Exception {
    Map<String, Path> here = built("a", "ja", Map.of("TZ", "Pacific/Kiritimati", "LC_ALL", "C"));
    Map<String, Path> there =
        built(
            "another/place/of/its/own",
            "tr",
            Map.of("TZ", "America/Anchorage", "LC_ALL", "C.UTF-8"));
    assertEquals(new TreeSet<>(here.keySet()), new TreeSet<>(there.keySet()));
    assertTrue(here.size() > 30, here::toString); // jar, sources and Javadoc of each
    List<String> different = new ArrayList<>();
    for (Map.Entry<String, Path> each : here.entrySet()) {
      Path other = there.get(each.getKey());
      if (Files.mismatch(each.getValue(), other) != -1) {
        different.add(each.getKey() + " " + differing(each.getValue(), other));
      }
    }
    assertEquals(List.of(), different);
  }

  /** The language is passed to the JVMs: the machine need not have that of the environment. */
  private Map<String, Path> built(String name, String language, Map<String, String> environment)
      throws Exception {
    String spoken = "-Duser.language=" + language;
    Path repository = Path.of(System.getProperty("reproducible.repository"));
    Leasehold copy = Leasehold.copy(scratch.resolve(name), repository);
    Map<String, String> told = new HashMap<>(environment);
    told.put("MAVEN_OPTS", spoken);
    List<String> arguments = new ArrayList<>(GOALS);
    arguments.add("-DadditionalJOption=-J" + spoken); // Javadoc has a JVM of its own
    Stream.of(System.getProperty("reproducible.arguments", "").split(" "))
        .filter(argument -> !argument.isEmpty())
        .forEach(arguments::add);
    copy.maven(copy.root(), told, arguments.toArray(String[]::new));
    Map<String, Path> jars = new HashMap<>();
    try (Stream<Path> files = Files.walk(copy.root())) {
      files
          .filter(file -> file.getParent().endsWith("target") && file.toString().endsWith(".jar"))
          .forEach(file -> jars.put(file.getFileName().toString(), file));
    }
    return jars;
  }

  /** Which files of a jar are others, or in another order. */
  private static List<String> differing(Path one, Path other) throws IOException {
    try (ZipFile a = new ZipFile(one.toFile());
        ZipFile b = new ZipFile(other.toFile())) {
      List<String> names = a.stream().map(ZipEntry::getName).toList();
      if (!names.equals(b.stream().map(ZipEntry::getName).toList())) {
        return List.of("has other files, or in another order");
      }
      List<String> found = new ArrayList<>();
      for (String name : names) {
        byte[] mine = a.getInputStream(a.getEntry(name)).readAllBytes();
        byte[] theirs = b.getInputStream(b.getEntry(name)).readAllBytes();
        if (!Arrays.equals(mine, theirs)) {
          found.add(name);
        }
      }
      return found;
    }
  }
}
