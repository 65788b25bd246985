package dev.leasehold.examples.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Repository;
import dev.leasehold.lock.LockOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Numbers in the README are correct")
class ClaimsTest {
  @Test
  @DisplayName("The oldest clients are those that the suite runs on")
  void oldest() throws IOException {
    String pom = read("lab/lock-clients/pom.xml");
    String oldest = pom.substring(pom.indexOf("<id>oldest</id>"));
    String said = "Lettuce from %s, Jedis from %s, Redisson from %s ";
    assertTrue(
        read("README.md")
            .contains(
                said.formatted(
                    version(oldest, "lettuce"),
                    version(oldest, "jedis"),
                    version(oldest, "redisson"))));
  }

  @Test
  @DisplayName("SLF4J's provider is of the version that the backends bring")
  void provider() throws IOException {
    String version = element(read("pom.xml"), "slf4j.version");
    Matcher provider =
        Pattern.compile("slf4j-jdk14(?:</artifactId>\\s*<version>|:)([\\d.]+)")
            .matcher(read("README.md"));
    int found = 0;
    while (provider.find()) {
      assertEquals(version, provider.group(1));
      found++;
    }
    assertEquals(2, found, "for Maven and for Gradle");
  }

  @Test
  @DisplayName("A lease lasts as long as README says")
  void lease() throws IOException {
    long seconds = LockOptions.defaults().lease().toSeconds();
    assertTrue(read("README.md").contains("The lease lasts " + seconds + " s and is renewed"));
  }

  private static String version(String pom, String client) {
    return element(pom, client + ".version").replaceFirst("\\.0(\\.RELEASE)?$", "");
  }

  private static String element(String xml, String name) {
    Matcher m = Pattern.compile("<" + Pattern.quote(name) + ">([^<]+)</").matcher(xml);
    assertTrue(m.find(), name);
    return m.group(1);
  }

  private static String read(String file) throws IOException {
    return Files.readString(Repository.root().resolve(file));
  }
}
