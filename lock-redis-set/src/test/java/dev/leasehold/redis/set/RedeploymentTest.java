package dev.leasehold.redis.set;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A container that loads applications, each by a class loader of its own, and lets them go. */
@Timeout(180)
@DisplayName("An application that is redeployed")
class RedeploymentTest {
  /** Else Netty has Java Flight Recorder keep a listener of its own, for ever. */
  private static final String NETTY_JFR = "io.netty.jfr.enabled";

  private static TestServer server;

  @BeforeAll
  static void start() {
    server = ServerKind.EMBEDDED.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** What runs in the application. */
  public static final class Application {
    private Application() {}

    /** Takes a lock, and ends. */
    @SuppressWarnings("unused") // by another class loader
    public static void run(String uri) throws InterruptedException {
      Map<String, String> settings =
          Map.of("lock.redis.uri", uri, "lock.redis.connect-timeout", "30s");
      try (LockManager manager = LockManager.open(LockSettings.of(settings))) {
        manager.lock("redeployed").acquire().release();
      }
    }
  }

  @Test
  @DisplayName("leaves nothing that keeps its class loader, with Netty's flight recordings off")
  void letsItsClassLoaderGo() throws Exception {
    String before = System.getProperty(NETTY_JFR);
    System.setProperty(NETTY_JFR, "false");
    try {
      WeakReference<ClassLoader> loader = deployed();
      Await.until(
          "its class loader is gone",
          () -> {
            System.gc();
            return loader.get() == null;
          });
    } finally {
      if (before == null) {
        System.clearProperty(NETTY_JFR);
      } else {
        System.setProperty(NETTY_JFR, before);
      }
    }
  }

  private static WeakReference<ClassLoader> deployed() throws Exception {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    try (URLClassLoader loader = new URLClassLoader(path(), ClassLoader.getPlatformClassLoader())) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  Class.forName(Application.class.getName(), true, loader)
                      .getMethod("run", String.class)
                      .invoke(null, server.uri());
                  ended.complete(null);
                } catch (ReflectiveOperationException | RuntimeException | Error e) {
                  ended.completeExceptionally(e);
                }
              });
      thread.setContextClassLoader(loader);
      thread.start();
      thread.join();
      ended.join();
      return new WeakReference<>(loader);
    }
  }

  private static URL[] path() {
    List<String> places =
        Stream.of("java.class.path", "jdk.module.path")
            .map(key -> System.getProperty(key, ""))
            .flatMap(path -> Arrays.stream(path.split(File.pathSeparator)))
            .filter(place -> !place.isEmpty())
            .toList();
    return places.stream().map(RedeploymentTest::url).toArray(URL[]::new);
  }

  private static URL url(String place) {
    try {
      return new File(place).toURI().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }
}
