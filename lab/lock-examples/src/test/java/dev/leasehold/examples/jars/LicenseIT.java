package dev.leasehold.examples.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.leasehold.examples.Repository;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Each published jar has the license")
class LicenseIT {
  static List<String> published() {
    return Jars.published();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("published")
  @DisplayName("That of classes and that of sources")
  void license(String module) throws IOException {
    String license = Files.readString(Repository.root().resolve("LICENSE"));
    Path jar = Jars.jar(module);
    String name = jar.getFileName().toString();
    String sources = name.substring(0, name.length() - ".jar".length()) + "-sources.jar";
    assertEquals(license, licenseIn(jar));
    assertEquals(license, licenseIn(jar.resolveSibling(sources)));
  }

  private static String licenseIn(Path path) throws IOException {
    try (JarFile jar = new JarFile(path.toFile())) {
      ZipEntry entry = jar.getEntry("META-INF/LICENSE");
      assertNotNull(entry, path::toString);
      try (InputStream in = jar.getInputStream(entry)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }
}
