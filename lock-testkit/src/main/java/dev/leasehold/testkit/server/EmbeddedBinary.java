package dev.leasehold.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The server binary in the embedded-redis jar. Nothing else of that jar is used. */
final class EmbeddedBinary {
  private static final String DEPENDENCY = "com.github.codemonstur:embedded-redis";

  private static final Map<String, Path> UNPACKED = new ConcurrentHashMap<>();

  private EmbeddedBinary() {}

  /** The binary for this machine, unpacked once per JVM. */
  static Path path() {
    return UNPACKED.computeIfAbsent(resource(), name -> unpack(name, find(name)));
  }

  private static String resource() {
    String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String cpu = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    boolean arm = cpu.equals("aarch64") || cpu.equals("arm64");
    boolean intel64 = cpu.equals("amd64") || cpu.equals("x86_64");
    if (os.contains("linux") && intel64) {
      return "redis-server-6.2.6-v5-linux-amd64";
    } else if (os.contains("linux") && arm) {
      return "redis-server-6.2.7-linux-arm64";
    } else if (os.contains("linux") && (cpu.equals("x86") || cpu.equals("i386"))) {
      return "redis-server-6.2.7-linux-386";
    } else if (os.contains("mac") && arm) {
      return "redis-server-6.2.6-v5-darwin-arm64";
    } else if (os.contains("mac") && intel64) {
      return "redis-server-6.2.6-v5-darwin-amd64";
    } else if (os.contains("windows") && intel64) {
      return "redis-server-5.0.14.1-windows-amd64.exe";
    }
    throw new ServerException(
        "There is no embedded server for "
            + os
            + " on "
            + cpu
            + ". Install one and set -Dleasehold.server=path, or -Dleasehold.server=redis://host:port");
  }

  private static URL find(String resource) {
    // The jar is an optional dependency and may be visible to the application's class loader only.
    return Stream.of(
            EmbeddedBinary.class.getClassLoader(),
            Thread.currentThread().getContextClassLoader(),
            ClassLoader.getSystemClassLoader())
        .filter(Objects::nonNull)
        .map(loader -> Optional.ofNullable(loader.getResource(resource)))
        .flatMap(Optional::stream)
        .findFirst()
        .orElseThrow(() -> new ServerException(notFound(resource)));
  }

  private static String notFound(String resource) {
    String moduleToo =
        EmbeddedBinary.class.getModule().isNamed()
            ? "; on a module path, start with --add-modules embedded.redis"
            : "";
    return "The embedded server is not on the path: "
        + resource
        + " was not found. Add the test dependency "
        + DEPENDENCY
        + " (its own dependency redis.clients:jedis is not needed)"
        + moduleToo
        + ". Or choose another server with -D"
        + RedisServers.PROPERTY
        + "= one of: "
        + RedisServers.KINDS;
  }

  private static Path unpack(String name, URL from) {
    Path file = ResourceReaper.directory("bin").resolve(name);
    try (InputStream in = from.openStream()) {
      Files.copy(in, file);
    } catch (IOException e) {
      throw new ServerException("The embedded server could not be unpacked from " + from, e);
    }
    if (!file.toFile().setExecutable(true)) {
      throw new ServerException(
          file + " can't be made executable. Point java.io.tmpdir at a folder that allows it");
    }
    return file;
  }
}
