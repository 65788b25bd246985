package dev.leasehold.consumers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A newcomer's project, made from README alone")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ConsumersTest {
  private static final String INSTALL = "mvn install -DskipTests";
  private static final String CLASS_PATH =
      "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath";

  /** Annotations alone: compiled against, not needed, and brought by Reactor. */
  private static final String ANNOTATIONS = "jspecify-1.0.0.jar";

  @TempDir static Path scratch;
  @TempDir Path folder;
  private static Leasehold leasehold;
  private static Readme readme;

  @BeforeAll
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  static void install() throws Exception {
    Path repository = Path.of(System.getProperty("consumers.repository")).toAbsolutePath();
    String installed = System.getProperty("consumers.installed", "");
    leasehold =
        installed.isEmpty()
            ? Leasehold.copy(scratch.resolve("leasehold"), repository)
            : new Leasehold(Path.of(installed), repository);
    readme = Readme.of(leasehold.root());
    assertTrue(readme.text().contains("`" + INSTALL + "`"), "README says how to install");
    if (installed.isEmpty()) {
      leasehold.maven(leasehold.root(), INSTALL.substring("mvn ".length()).split(" "));
    }
  }

  @Test
  @DisplayName(
      "Maven resolves the tested versions, and compiles and runs the first example"
          + " without output")
  void maven() throws Exception {
    pom("", readme.first("xml"));
    try (RedisServer server = RedisServers.start()) {
      Path sources = Files.createDirectories(folder.resolve("src/main/java"));
      Files.writeString(sources.resolve("Newcomer.java"), readme.program(server.port()));
      String path = resolved("compile");
      assertEquals(promised(), Leasehold.names(path));
      runs(folder.resolve("target/classes") + File.pathSeparator + path);
    }
  }

  @Test
  @DisplayName(
      "Gradle resolves the tested versions, and compiles and runs the first example"
          + " without output")
  void gradle() throws Exception {
    String gradle = System.getProperty("consumers.gradle");
    assumeFalse(gradle.equals("none"), "-Dconsumers.gradle=none");
    Files.writeString(folder.resolve("settings.gradle"), "rootProject.name = 'newcomer'\n");
    Files.writeString(
        folder.resolve("build.gradle"),
        "apply plugin: 'java'\n"
            + readme.first("kotlin")
            + "task classPath { doLast { println sourceSets.main.runtimeClasspath.asPath } }\n");
    try (RedisServer server = RedisServers.start()) {
      Path sources = Files.createDirectories(folder.resolve("src/main/java"));
      Files.writeString(sources.resolve("Newcomer.java"), readme.program(server.port()));
      Command ran =
          Command.run(
              folder,
              List.of(
                  gradle,
                  "--no-daemon",
                  "-q",
                  "-Dmaven.repo.local=" + leasehold.repository(),
                  "classes",
                  "classPath"));
      String path = ran.out().lines().reduce((first, last) -> last).orElseThrow();
      Set<String> jars = Leasehold.names(path);
      jars.removeIf(name -> !name.endsWith(".jar")); // our own classes
      assertEquals(promised(), jars);
      runs(path);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lock-api",
        "lock-redis-set",
        "lock-redis-setnx",
        "lock-redisson-adapter",
        "lock-redlock",
        "lock-guice",
        "lock-shedlock",
        "lock-micrometer",
        "lock-spring-integration",
        "lock-memory",
        "lock-kotlin",
        "lock-methods",
        "lock-admin",
        "lock-cli"
      })
  @DisplayName("Each module, in the BOM's version, has the dependencies it was tested with")
  void modules(String module) throws Exception {
    Set<String> built = leasehold.built(module);
    if (module.equals("lock-methods")) {
      built.removeIf(name -> name.startsWith("reactor-core-")); // optional, and what it brings
      built.removeIf(name -> name.startsWith("reactive-streams-"));
    }
    assertEquals(with(built), consumes(List.of(module)));
  }

  @Test
  @DisplayName("The kit brings JUnit as tested, and no server: which one, its user chooses")
  void kit() throws Exception {
    Set<String> brought = consumes(List.of("lock-testkit"));
    Set<String> others = new TreeSet<>(brought);
    others.removeAll(leasehold.built("lock-testkit"));
    assertEquals(Set.of(), others, "in another version than tested, or not known there");
    assertTrue(brought.stream().anyMatch(name -> name.startsWith("junit-jupiter-api-")));
    assertFalse(brought.stream().anyMatch(name -> name.startsWith("testcontainers-")));
    assertFalse(brought.stream().anyMatch(name -> name.startsWith("embedded-redis-")));
  }

  @Test
  @DisplayName("All backends together have the dependencies that each was tested with")
  void together() throws Exception {
    List<String> all =
        List.of("lock-redis-set", "lock-redis-setnx", "lock-redisson-adapter", "lock-redlock");
    Set<String> built = new TreeSet<>();
    for (String module : all) {
      built.addAll(leasehold.built(module));
    }
    assertEquals(with(built), consumes(all));
  }

  /** README's backend, and what its reader adds to see the client's log. */
  private static Set<String> promised() throws Exception {
    Set<String> names = with(leasehold.built("lock-redis-set"));
    names.add("slf4j-jdk14-2.0.18.jar");
    return names;
  }

  private static Set<String> with(Set<String> built) {
    if (built.stream().anyMatch(name -> name.startsWith("reactor-core-3.8"))) {
      built.add(ANNOTATIONS);
    }
    return built;
  }

  /** What a project resolves that imports the BOM and names modules without a version. */
  private Set<String> consumes(List<String> modules) throws Exception {
    List<String> dependencies = new ArrayList<>();
    for (String module : modules) {
      dependencies.add(
          "<dependency><groupId>dev.leasehold</groupId><artifactId>"
              + module
              + "</artifactId></dependency>");
    }
    String bom =
        """
        <dependencyManagement>
          <dependencies>
            <dependency>
              <groupId>dev.leasehold</groupId>
              <artifactId>lock-bom</artifactId>
              <version>0.1.0-SNAPSHOT</version>
              <type>pom</type>
              <scope>import</scope>
            </dependency>
          </dependencies>
        </dependencyManagement>
        """;
    pom(bom, String.join("\n", dependencies));
    return Leasehold.names(resolved());
  }

  private void pom(String management, String dependencies) throws Exception {
    Files.writeString(
        folder.resolve("pom.xml"),
        """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>org.example</groupId>
          <artifactId>newcomer</artifactId>
          <version>1</version>
          <properties>
            <maven.compiler.source>17</maven.compiler.source>
            <maven.compiler.target>17</maven.compiler.target>
            <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
          </properties>
          %s
          <dependencies>
            %s
          </dependencies>
        </project>
        """
            .formatted(management, dependencies));
  }

  private String resolved(String... before) throws Exception {
    Path file = folder.resolve("class-path.txt");
    List<String> arguments = new ArrayList<>(List.of(before));
    arguments.addAll(
        List.of(
            CLASS_PATH, "-DincludeScope=runtime", "-Dmdep.outputFile=" + file.toAbsolutePath()));
    leasehold.maven(folder, arguments.toArray(String[]::new));
    return Files.readString(file).strip();
  }

  private void runs(String path) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Command ran = Command.run(folder, List.of(java, "-cp", path, "Newcomer"));
    assertEquals(Readme.PRINTS, ran.out());
    assertEquals("", ran.err());
  }
}
