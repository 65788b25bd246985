package dev.leasehold.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

@DisplayName("The tested clients are those of the selected set")
class ClientsTest {
  private static final Pattern JAR = Pattern.compile("(.+?)-(\\d.*)\\.jar");
  private static final List<String> SAID =
      List.of(
          "lettuce-core",
          "jedis",
          "redisson",
          "netty-common",
          "netty-handler",
          "reactor-core",
          "slf4j-api");

  @Test
  @DisplayName("Each client, Netty, Reactor and SLF4J are on the path once, in the set's version")
  void versions() {
    Map<String, String> found = onThePath();
    for (String artifact : SAID) {
      assertEquals(System.getProperty(artifact), found.get(artifact), artifact);
    }
  }

  @Test
  @DisplayName("All of Netty is of one version")
  void oneNetty() {
    TreeSet<String> versions = new TreeSet<>();
    onThePath()
        .forEach(
            (artifact, version) -> {
              if (artifact.startsWith("netty-")) {
                versions.add(version);
              }
            });
    assertEquals(1, versions.size(), versions::toString);
  }

  @Test
  @DisplayName("Where Spring Boot manages the versions, they are Spring Boot's")
  void managed() throws Exception {
    String set = System.getProperty("clients");
    assumeTrue(set.startsWith("boot-"), "the set is not one of Spring Boot's");
    Document boot =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(Path.of("target", set, "spring-boot-dependencies.pom").toFile());
    Map<String, String> found = onThePath();
    assertEquals(property(boot, "lettuce.version"), found.get("lettuce-core"));
    assertEquals(property(boot, "jedis.version"), found.get("jedis"));
    assertEquals(property(boot, "netty.version"), found.get("netty-common"));
    assertEquals(property(boot, "slf4j.version"), found.get("slf4j-api"));
    assertEquals(property(boot, "gson.version"), found.get("gson"), "by the import alone");
  }

  private static String property(Document pom, String name) {
    return pom.getElementsByTagName(name).item(0).getTextContent().strip();
  }

  private static Map<String, String> onThePath() {
    Map<String, String> found = new TreeMap<>();
    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> JAR.matcher(Path.of(entry).getFileName().toString()))
        .filter(Matcher::matches)
        .forEach(m -> assertEquals(null, found.put(m.group(1), m.group(2)), m.group(1)));
    return found;
  }
}
