package dev.leasehold.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A client that is too old is refused at open, by its version and the one needed")
class RefusedClientsTest {
  private static final Path JARS = Path.of("target/refused");

  private record Client(String name, String artifact, String needed, Map<String, String> settings) {
    /** Of a version; the settings lead nowhere, since nothing is connected. */
    String refusal(String version) {
      return name + " " + version + " is on the path, and " + needed + " or newer is needed";
    }
  }

  private static final String NOWHERE = "redis://127.0.0.1:1";
  private static final List<Client> CLIENTS =
      List.of(
          new Client("Lettuce", "lettuce-core", "6.6", on("redis-set")),
          new Client(
              "Lettuce",
              "lettuce-core",
              "6.6",
              Map.of(
                  "lock.backend",
                  "redlock",
                  "lock.redlock.nodes",
                  NOWHERE + ", redis://127.0.0.1:2, redis://127.0.0.1:3")),
          new Client("Jedis", "jedis", "6.0", on("redis-setnx")),
          new Client("Redisson", "redisson", "4.0", on("redisson")));

  private static Map<String, String> on(String backend) {
    return Map.of("lock.backend", backend, "lock.redis.uri", NOWHERE);
  }

  static Stream<Path> jars() throws IOException {
    try (Stream<Path> jars = Files.list(JARS)) {
      List<Path> all = jars.sorted().toList();
      assertEquals(6, all.size(), "two of each client");
      return all.stream();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("jars")
  @DisplayName("jar")
  void refused(Path jar) throws Exception {
    String file = jar.getFileName().toString();
    for (Client client : CLIENTS) {
      if (file.startsWith(client.artifact() + "-")) {
        String version =
            file.substring(client.artifact().length() + 1, file.length() - ".jar".length());
        try (URLClassLoader loader = withInstead(client.artifact(), jar)) {
          Throwable thrown = assertThrows(Throwable.class, () -> open(loader, client.settings()));
          assertEquals(
              "dev.leasehold.lock.LockConfigurationException", thrown.getClass().getName());
          assertEquals(client.refusal(version), thrown.getMessage());
        }
      }
    }
  }

  /** Our class path, apart from us, with another jar in the place of a client's. */
  private static URLClassLoader withInstead(String artifact, Path jar) throws IOException {
    List<URL> urls = new ArrayList<>(List.of(jar.toUri().toURL()));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!Path.of(entry).getFileName().toString().startsWith(artifact + "-")) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  private static void open(ClassLoader loader, Map<String, String> values) throws Throwable {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      Class<?> settings = loader.loadClass("dev.leasehold.lock.LockSettings");
      Object read = settings.getMethod("of", Map.class).invoke(null, values);
      Method open = loader.loadClass("dev.leasehold.lock.LockManager").getMethod("open", settings);
      ((AutoCloseable) open.invoke(null, read)).close();
    } catch (InvocationTargetException e) {
      throw e.getCause();
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
