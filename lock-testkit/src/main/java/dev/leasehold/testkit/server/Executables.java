package dev.leasehold.testkit.server;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the server's program. */
final class Executables {
  private static final List<String> NAMES = List.of("redis-server", "valkey-server");
  private static @Nullable Path embedded;

  private Executables() {}

  static Path onPath() {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String name : NAMES) {
      for (String folder : path.split(File.pathSeparator)) {
        Path candidate = Path.of(folder, name);
        if (Files.isExecutable(candidate)) {
          return candidate;
        }
      }
    }
    throw new IllegalStateException(
        "leasehold.server=path, but neither redis-server nor valkey-server is on the PATH: install"
            + " one, or use leasehold.server=embedded");
  }

  /** The program that the embedded server's jar carries for this machine, unpacked once. */
  static synchronized Path embedded() {
    Path there = embedded;
    if (there == null) {
      there = unpack(resourceName());
      embedded = there;
    }
    return there;
  }

  private static String resourceName() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    boolean arm = arch.contains("aarch64") || arch.contains("arm64");
    if (os.contains("win")) {
      return "redis-server-5.0.14.1-windows-amd64.exe";
    }
    if (os.contains("mac")) {
      return arm ? "redis-server-6.2.6-v5-darwin-arm64" : "redis-server-6.2.6-v5-darwin-amd64";
    }
    return arm ? "redis-server-6.2.7-linux-arm64" : "redis-server-6.2.6-v5-linux-amd64";
  }

  private static Path unpack(String resource) {
    // Through a class of the jar where there is one: on a module path its own loader has it.
    ClassLoader loader = Executables.class.getClassLoader();
    try (InputStream program = loader.getResourceAsStream(resource)) {
      if (program == null) {
        throw new IllegalStateException(
            "the embedded server is not on the path: add"
                + " com.github.codemonstur:embedded-redis (test scope), or set leasehold.server to"
                + " path, testcontainers, the path of a redis-server, or a redis:// URL");
      }
      Path folder = Folders.create("leasehold-server");
      Path file = folder.resolve("redis-server");
      Files.copy(program, file);
      if (!file.toFile().setExecutable(true)) {
        throw new IOException(file + " can't be made executable");
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("the embedded server could not be unpacked", e);
    }
  }
}
