package dev.leasehold.examples.architecture;

import java.util.List;
import java.util.Set;

/**
 * A row of the table of modules in lock-api/DESIGN.md: a root package and its allowed dependencies.
 *
 * @param folder the module's folder
 * @param root its root package
 * @param parts root packages of other parts that it may use
 * @param libraries root packages of libraries that it may use
 * @param jdkModules JDK modules that it may use; empty for any
 */
record Part(
    String folder, String root, Set<String> parts, Set<String> libraries, Set<String> jdkModules) {

  private static final String API = "dev.leasehold.lock";
  private static final String COMMON = "dev.leasehold.redis.common";
  private static final String SET = "dev.leasehold.redis.set";
  private static final String SETNX = "dev.leasehold.redis.setnx";
  private static final String REDISSON = "dev.leasehold.redisson";
  private static final String REDLOCK = "dev.leasehold.redlock";
  private static final String GUICE = "dev.leasehold.guice";
  private static final String MICROMETER = "dev.leasehold.micrometer";
  private static final String METHODS = "dev.leasehold.methods";
  private static final String KIT = "dev.leasehold.testkit";

  /** The table. A module of the build that is missing here fails a test. */
  static final List<Part> ALL =
      List.of(
          new Part("lock-api", API, Set.of(), Set.of(), Set.of("java.base", "jdk.jfr")),
          new Part("lock-redis-common", COMMON, Set.of(API), Set.of(), Set.of("java.base")),
          new Part(
              "lock-redis-set",
              SET,
              Set.of(API, COMMON),
              Set.of("io.lettuce", "io.netty", "reactor"),
              Set.of("java.base")),
          new Part(
              "lock-redis-setnx",
              SETNX,
              Set.of(API, COMMON),
              Set.of("redis.clients", "org.apache.commons.pool2"),
              Set.of("java.base")),
          new Part(
              "lock-redisson-adapter",
              REDISSON,
              Set.of(API, COMMON),
              Set.of("org.redisson", "org.yaml.snakeyaml"),
              Set.of("java.base")),
          new Part("lock-redlock", REDLOCK, Set.of(API), Set.of(), Set.of("java.base")),
          new Part(
              "lock-guice",
              GUICE,
              Set.of(API, METHODS),
              Set.of("com.google.inject", "com.typesafe", "jakarta.inject", "org.aopalliance"),
              Set.of("java.base")),
          new Part(
              "lock-methods",
              METHODS,
              Set.of(API),
              Set.of("reactor", "org.reactivestreams"),
              Set.of("java.base")),
          new Part(
              "lock-spring-boot-starter",
              "dev.leasehold.spring.boot",
              Set.of(API, METHODS, SET, SETNX, REDISSON, MICROMETER),
              Set.of(
                  "org.springframework",
                  "org.aopalliance",
                  "io.lettuce",
                  "io.micrometer",
                  "redis.clients",
                  "org.redisson"),
              Set.of("java.base", "java.logging")),
          new Part(
              "lock-shedlock",
              "dev.leasehold.shedlock",
              Set.of(API),
              Set.of("net.javacrumbs.shedlock"),
              Set.of("java.base")),
          new Part(
              "lock-kotlin",
              "dev.leasehold.kotlin",
              Set.of(API),
              Set.of("kotlin", "kotlinx", "org.jetbrains"),
              Set.of("java.base")),
          new Part(
              "lock-memory", "dev.leasehold.memory", Set.of(API), Set.of(), Set.of("java.base")),
          new Part(
              "lock-micrometer",
              MICROMETER,
              Set.of(API),
              Set.of("io.micrometer"),
              Set.of("java.base")),
          new Part(
              "lock-admin",
              "dev.leasehold.admin",
              Set.of(API, COMMON, SET),
              Set.of("io.lettuce", "io.netty", "reactor"),
              Set.of("java.base")),
          new Part(
              "lock-cli",
              "dev.leasehold.cli",
              Set.of(API, "dev.leasehold.admin"),
              Set.of("picocli", "com.google.gson"),
              Set.of("java.base", "jdk.httpserver", "jdk.unsupported")),
          new Part(
              "lock-spring-integration",
              "dev.leasehold.spring.integration",
              Set.of(API),
              Set.of("org.springframework"),
              Set.of("java.base")),
          new Part(
              "lock-testkit",
              KIT,
              Set.of(API),
              Set.of("org.junit", "org.opentest4j", "org.testcontainers", "redis.embedded"),
              Set.of()),
          new Part(
              "lock-examples",
              "dev.leasehold.examples",
              Set.of(API, SET, SETNX, REDISSON, REDLOCK, KIT),
              Set.of("org.junit", "io.lettuce", "redis.clients", "org.redisson", "org.h2"),
              Set.of()),
          // No code.
          new Part("lock-bom", "dev.leasehold.bom", Set.of(), Set.of(), Set.of()),
          // Only tests.
          new Part("lock-benchmarks", "dev.leasehold.benchmarks", Set.of(), Set.of(), Set.of()),
          new Part("lock-clients", "dev.leasehold.clients", Set.of(), Set.of(), Set.of()),
          new Part("lock-controls", "dev.leasehold.controls", Set.of(), Set.of(), Set.of()),
          new Part("lock-consumers", "dev.leasehold.consumers", Set.of(), Set.of(), Set.of()),
          new Part("lock-jdbc", "dev.leasehold.jdbc", Set.of(), Set.of(), Set.of()),
          new Part("lock-spring", "dev.leasehold.spring.lab", Set.of(), Set.of(), Set.of()),
          new Part("lock-simulation", "dev.leasehold.simulation", Set.of(), Set.of(), Set.of()));

  /** Root packages of Redis clients and frameworks: private to the part that uses them. */
  static final Set<String> CLIENTS =
      Set.of(
          "io.lettuce",
          "io.netty",
          "reactor",
          "redis.clients",
          "redis.embedded",
          "org.redisson",
          "org.testcontainers",
          "com.google.inject",
          "com.typesafe");

  boolean owns(String packageName) {
    return isUnder(packageName, root);
  }

  @Override
  public String toString() {
    return folder;
  }

  static boolean isUnder(String packageName, String root) {
    return packageName.equals(root) || packageName.startsWith(root + ".");
  }
}
