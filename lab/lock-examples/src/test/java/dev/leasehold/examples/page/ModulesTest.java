package dev.leasehold.examples.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Pom;
import dev.leasehold.examples.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

@DisplayName("No module of the build is unseen")
class ModulesTest {
  private static final String ALL = "everything";
  private static final String PUBLISHED = "release";

  /** A profile in a command. */
  private static final Pattern PROFILE = Pattern.compile("mvn (?:-q )?-P([a-z]++)(?! spring-boot)");

  @Test
  @DisplayName("The build, the folders, the tests of the sources and CI's table know the same ones")
  void same() throws Exception {
    TreeSet<String> folders = new TreeSet<>();
    Repository.folders().forEach(f -> folders.add(Repository.root().relativize(f).toString()));
    assertTrue(
        folders.contains("integrations/lock-guice") && folders.contains("lab/lock-examples"));
    assertEquals(folders, new TreeSet<>(modulesOf(rootProfiles().get(ALL))));
    assertEquals(List.copyOf(folders), listedByCi());
    assertEquals(folders.size(), Repository.modules().size());
  }

  @Test
  @DisplayName("Each profile names its modules, and all that those are built from")
  void profiles() throws Exception {
    for (Map.Entry<String, Element> profile : rootProfiles().entrySet()) {
      List<String> modules = modulesOf(profile.getValue());
      assertFalse(modules.isEmpty(), () -> "-P" + profile.getKey() + " would build nothing");
      List<String> names = modules.stream().map(m -> Path.of(m).getFileName().toString()).toList();
      for (String name : names) {
        assertTrue(
            names.containsAll(needed(name)),
            () -> "-P" + profile.getKey() + " has " + name + ", which needs " + needed(name));
      }
    }
  }

  @Test
  @DisplayName("There are at most twelve, and contributors' table has each; no page names another")
  void named() throws Exception {
    Set<String> profiles = rootProfiles().keySet();
    assertTrue(profiles.size() <= 12, profiles::toString);
    Set<String> asked = new TreeSet<>(profiles);
    asked.remove(ALL);
    assertEquals(asked, namedIn(Repository.root().resolve("CONTRIBUTING.md")));
    for (Path page : Repository.pages()) {
      assertTrue(profiles.containsAll(namedIn(page)), () -> page + ": " + namedIn(page));
    }
  }

  private static Set<String> namedIn(Path page) {
    try {
      return PROFILE
          .matcher(Files.readString(page))
          .results()
          .map(found -> found.group(1))
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @DisplayName("A profile that runs something builds only what that needs")
  void nothingElse() throws Exception {
    Map<String, Element> profiles = rootProfiles();
    profiles.keySet().removeAll(List.of(ALL, PUBLISHED));
    for (Map.Entry<String, Element> profile : profiles.entrySet()) {
      List<String> modules = modulesOf(profile.getValue());
      String runs = Path.of(modules.get(modules.size() - 1)).getFileName().toString();
      Set<String> expected = withAllNeeded(runs);
      neededBy(runs, profile.getKey()).forEach(more -> expected.addAll(withAllNeeded(more)));
      assertEquals(
          expected,
          modules.stream()
              .map(module -> Path.of(module).getFileName().toString())
              .collect(Collectors.toCollection(TreeSet::new)),
          () -> "-P" + profile.getKey());
    }
  }

  /** A module with its transitive dependencies. */
  private static Set<String> withAllNeeded(String module) {
    Set<String> all = new TreeSet<>(Set.of(module));
    needed(module).forEach(needed -> all.addAll(withAllNeeded(needed)));
    return all;
  }

  @Test
  @DisplayName("The BOM manages each published module and nothing else, in the build's version")
  void bom() throws Exception {
    Element bom = Pom.of(Repository.folder("lock-bom"));
    assertEquals(Pom.text(Pom.of(Repository.root()), "version"), Pom.text(bom, "version"));
    assertEquals(
        List.of(), Pom.children(bom, "parent"), "its managed versions would be imported, too");
    Element managed =
        Pom.children(Pom.children(bom, "dependencyManagement").get(0), "dependencies").get(0);
    List<String> coordinates =
        Pom.children(managed, "dependency").stream()
            .map(
                d ->
                    Pom.text(d, "groupId")
                        + ":"
                        + Pom.text(d, "artifactId")
                        + ":"
                        + Pom.text(d, "version"))
            .toList();
    Path lab = Repository.root().resolve("lab");
    assertEquals(
        Repository.folders().stream()
            .filter(folder -> !folder.startsWith(lab) && !folder.endsWith("lock-bom"))
            .map(folder -> "dev.leasehold:" + folder.getFileName() + ":${project.version}")
            .sorted()
            .toList(),
        coordinates);
  }

  private static Map<String, Element> rootProfiles() throws Exception {
    return profiles(Pom.of(Repository.root()));
  }

  private static Map<String, Element> profiles(Element pom) {
    Map<String, Element> profiles = new LinkedHashMap<>();
    for (Element all : Pom.children(pom, "profiles")) {
      for (Element profile : Pom.children(all, "profile")) {
        profiles.put(Pom.text(profile, "id"), profile);
      }
    }
    return profiles;
  }

  private static List<String> modulesOf(Element owner) {
    return Pom.children(owner, "modules").stream()
        .flatMap(modules -> Pom.children(modules, "module").stream())
        .map(module -> module.getTextContent().strip())
        .toList();
  }

  /** The modules of this build in a module's pom, except in its profiles. */
  private static List<String> needed(String module) {
    return needed(pom(module));
  }

  /** Those in one of its profiles. */
  private static List<String> neededBy(String module, String profile) {
    Element own = profiles(pom(module)).get(profile);
    return own == null ? List.of() : needed(own);
  }

  private static List<String> needed(Element owner) {
    return Pom.children(owner, "dependencies").stream()
        .flatMap(all -> Pom.children(all, "dependency").stream())
        .filter(dependency -> Pom.text(dependency, "groupId").equals("dev.leasehold"))
        .map(dependency -> Pom.text(dependency, "artifactId"))
        .toList();
  }

  private static Element pom(String module) {
    try {
      return Pom.of(Repository.folder(module));
    } catch (Exception e) {
      throw new IllegalStateException("the pom of " + module, e);
    }
  }

  private static List<String> listedByCi() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("bash", ".ci/run", "--modules")
            .directory(Repository.root().toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    return Stream.of(output.split("\\R")).filter(line -> !line.isBlank()).toList();
  }
}
