package dev.leasehold.examples.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;

@DisplayName("Published artifacts have what Maven Central requires")
class CentralTest {
  private static final List<String> ASKED =
      List.of(
          "name",
          "description",
          "url",
          "licenses/license/name",
          "licenses/license/url",
          "developers/developer/name",
          "scm/connection",
          "scm/developerConnection",
          "scm/url");

  /** The root, as the parent of the others, and all modules except the lab's. */
  static List<Path> published() {
    Path lab = Repository.root().resolve("lab");
    return Stream.concat(
            Stream.of(Repository.root()),
            Repository.folders().stream().filter(folder -> !folder.startsWith(lab)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("published")
  @DisplayName("Name, description, address, license, developers, sources")
  void complete(Path folder) throws Exception {
    Document own = pom(folder);
    List<Document> chain = new ArrayList<>(List.of(own));
    if (!value(own, "/project/parent/artifactId").isEmpty()) {
      assertEquals("leasehold", value(own, "/project/parent/artifactId"));
      chain.add(pom(Repository.root()));
    }
    for (String element : ASKED) {
      assertTrue(
          chain.stream().anyMatch(pom -> !value(pom, "/project/" + element).isBlank()),
          () -> folder + " has no " + element);
    }
    assertFalse(value(own, "/project/name").isBlank(), "a name of its own");
    // Central rejects projects that depend on other repositories.
    assertEquals("", value(own, "//repositories"));
    assertEquals("", value(own, "//pluginRepositories"));
  }

  @Test
  @DisplayName("Sources come with every jar, Javadoc and signatures by the release profile")
  void attached() throws Exception {
    Document root = pom(Repository.root());
    String always = "/project/build/plugins/plugin[artifactId='%s']/executions//goal";
    assertEquals("jar-no-fork", value(root, always.formatted("maven-source-plugin")));
    assertEquals("jar", value(root, always.formatted("maven-javadoc-plugin")));
    // Skipped in other builds, since javac has already checked the comments.
    String skipped = "/project/profiles/profile[id='release']/properties/maven.javadoc.skip";
    assertEquals("false", value(root, skipped));
    assertEquals("", value(root, always.formatted("maven-gpg-plugin")));
    String released =
        "/project/profiles/profile[id='release']/build/plugins/plugin[artifactId='maven-gpg-plugin']//goal";
    assertEquals("sign", value(root, released));
    assertEquals("sign", value(pom(Repository.folder("lock-bom")), released));
  }

  @Test
  @DisplayName("The project's address is a single property of the root, and of the BOM")
  void home() throws Exception {
    String property = "/project/properties/project.home";
    String home = value(pom(Repository.root()), property);
    assertTrue(home.startsWith("https://"), home);
    assertEquals(home, value(pom(Repository.folder("lock-bom")), property));
    for (Path folder : published()) {
      String text = Files.readString(folder.resolve("pom.xml"));
      String declared = "<project.home>" + home + "</project.home>";
      assertFalse(text.replace(declared, "").contains(home), () -> folder + " names it elsewhere");
    }
  }

  @Test
  @DisplayName("A release has each published module, and nothing of the lab")
  void released() throws Exception {
    Document root = pom(Repository.root());
    List<String> modules = new ArrayList<>();
    String path = "/project/profiles/profile[id='release']/modules/module[%d]";
    for (int i = 1; !value(root, path.formatted(i)).isEmpty(); i++) {
      modules.add(value(root, path.formatted(i)));
    }
    assertEquals(
        published().stream()
            .map(folder -> Repository.root().relativize(folder).toString())
            .filter(folder -> !folder.isEmpty())
            .sorted()
            .toList(),
        modules.stream().sorted().toList());
  }

  @Test
  @DisplayName("The lab is not deployed")
  void lab() throws Exception {
    for (Path folder : Repository.folders()) {
      if (folder.startsWith(Repository.root().resolve("lab"))) {
        assertEquals(
            "true", value(pom(folder), "/project/properties/maven.deploy.skip"), folder::toString);
      }
    }
    assertTrue(Files.isRegularFile(Repository.root().resolve("LICENSE")));
  }

  private static Document pom(Path folder) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(folder.resolve("pom.xml").toFile());
  }

  private static String value(Document pom, String path) {
    try {
      XPath xpath = XPathFactory.newInstance().newXPath();
      return xpath.evaluate(path, pom).strip();
    } catch (Exception e) {
      throw new IllegalStateException(path, e);
    }
  }
}
