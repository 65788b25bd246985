package dev.leasehold.examples.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.examples.Repository;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Each jar has its licenses")
class LicenseIT {
  private static final List<String> LEGAL =
      List.of(
          "META-INF/LICENSE",
          "META-INF/LICENSE.txt",
          "META-INF/NOTICE",
          "META-INF/NOTICE.txt",
          "META-INF/COPYRIGHT");

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

  @Test
  @DisplayName("The command's one jar has the licenses and notices of all that is in it")
  void commandHasAll() throws IOException {
    Path command = Repository.folder("lock-cli").resolve("target/leasehold/leasehold.jar");
    List<String> missing = new ArrayList<>();
    for (Path part : Jars.runtimePath("lock-cli")) {
      for (String name : LEGAL) {
        Optional<String> own = textIn(part, name);
        if (own.isPresent() && !textIn(command, name).orElse("").contains(own.get())) {
          missing.add(part.getFileName() + ": " + name);
        }
      }
    }
    assertEquals(List.of(), missing);
    assertEquals(
        Optional.empty(), textIn(command, "reference.conf"), "one module's settings for all");
  }

  private static Optional<String> textIn(Path path, String name) throws IOException {
    try (JarFile jar = new JarFile(path.toFile())) {
      ZipEntry entry = jar.getEntry(name);
      if (entry == null) {
        return Optional.empty();
      }
      try (InputStream in = jar.getInputStream(entry)) {
        return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
  }

  private static String licenseIn(Path path) throws IOException {
    return textIn(path, "META-INF/LICENSE").orElseThrow(() -> new AssertionError(path));
  }
}
