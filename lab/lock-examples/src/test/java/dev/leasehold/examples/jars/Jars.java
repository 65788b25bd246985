package dev.leasehold.examples.jars;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Repository;
import dev.leasehold.lock.spi.LockBackend;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The jars packaged by this build, and their run-time dependencies. */
final class Jars {
  private Jars() {}

  /** The published modules that have a descriptor. */
  static List<String> published() {
    return Repository.modules().stream()
        .filter(module -> !module.equals("lock-examples") && !module.equals("lock-benchmarks"))
        .filter(module -> Files.isRegularFile(source(module)))
        .toList();
  }

  /** Those that contain a backend, except the in-memory one for tests, which has no server. */
  static List<String> backends() {
    return published().stream()
        .filter(Jars::isBackend)
        .filter(module -> !module.equals("lock-memory"))
        .toList();
  }

  private static boolean isBackend(String module) {
    return ModuleFinder.of(jar(module)).findAll().stream()
        .flatMap(found -> found.descriptor().provides().stream())
        .anyMatch(provides -> provides.service().equals(LockBackend.class.getName()));
  }

  private static Path source(String module) {
    return Repository.folder(module).resolve("src/main/java/module-info.java");
  }

  static Path jar(String module) {
    String version = System.getProperty("leasehold.version");
    assertTrue(version != null, "run by mvn verify, which packages the jars first");
    Path jar = target(module).resolve(module + "-" + version + ".jar");
    assertTrue(Files.isRegularFile(jar), () -> jar + " is missing");
    return jar;
  }

  /** The module's jar and its run-time dependencies, and nothing else. */
  static List<Path> runtimePath(String module) throws IOException {
    List<Path> path = new ArrayList<>();
    path.add(jar(module));
    String rest = Files.readString(target(module).resolve("runtime-path.txt")).strip();
    for (String entry : rest.split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        path.add(Path.of(entry));
      }
    }
    return path;
  }

  /** The run-time path of several modules, each jar once. */
  static List<Path> runtimePath(String... modules) throws IOException {
    Set<Path> path = new LinkedHashSet<>();
    for (String module : modules) {
      path.addAll(runtimePath(module));
    }
    return List.copyOf(path);
  }

  private static Path target(String module) {
    return Repository.folder(module).resolve("target");
  }
}
