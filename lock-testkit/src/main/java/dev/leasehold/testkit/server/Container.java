package dev.leasehold.testkit.server;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Testcontainers container, driven by reflection: the library is optional, and its module name is
 * derived from its file name, which a published module must not require.
 */
final class Container {
  private static final String LIBRARY = "org.testcontainers.containers.GenericContainer";
  private static final String CLIENT = "com.github.dockerjava.api.DockerClient";
  private static final String COMMAND = "com.github.dockerjava.api.command.SyncDockerCmd";
  private static final int INNER_PORT = 6379;

  private final Class<?> type;
  private final Object container;

  private Container(Class<?> type, Object container) {
    this.type = type;
    this.container = container;
  }

  /** Starts an image whose entry point is a server and takes the arguments. */
  static Container start(String image, int port, List<String> arguments) {
    Class<?> type = library();
    try {
      Container result = new Container(type, type.getConstructor(String.class).newInstance(image));
      result.call("setPortBindings", List.class, List.of(port + ":" + INNER_PORT));
      result.call("setExposedPorts", List.class, List.of(INNER_PORT));
      result.call("setCommand", String[].class, arguments.toArray(String[]::new));
      result.call("start");
      return result;
    } catch (InvocationTargetException e) {
      throw failed("be started", e);
    } catch (ReflectiveOperationException e) {
      throw new ServerException("This version of Testcontainers is not known: " + e, e);
    }
  }

  String host() {
    return String.valueOf(call("getHost"));
  }

  boolean isRunning() {
    return Boolean.TRUE.equals(call("isRunning"));
  }

  String log() {
    return String.valueOf(call("getLogs"));
  }

  void pause() {
    engine("pauseContainerCmd");
  }

  void resume() {
    engine("unpauseContainerCmd");
  }

  void kill() {
    engine("killContainerCmd");
  }

  void startAgain() {
    engine("startContainerCmd");
  }

  void remove() {
    call("stop");
  }

  private void engine(String command) {
    try {
      Object client = Objects.requireNonNull(call("getDockerClient"));
      Object id = Objects.requireNonNull(call("getContainerId"));
      Object prepared = load(CLIENT).getMethod(command, String.class).invoke(client, id);
      load(COMMAND).getMethod("exec").invoke(prepared);
    } catch (InvocationTargetException e) {
      throw failed("take " + command, e);
    } catch (ReflectiveOperationException e) {
      throw new ServerException("This version of Testcontainers is not known: " + e, e);
    }
  }

  private @Nullable Object call(String method) {
    try {
      return type.getMethod(method).invoke(container);
    } catch (InvocationTargetException e) {
      throw failed(method, e);
    } catch (ReflectiveOperationException e) {
      throw new ServerException("This version of Testcontainers is not known: " + e, e);
    }
  }

  private <T> void call(String method, Class<T> parameter, T argument)
      throws ReflectiveOperationException {
    type.getMethod(method, parameter).invoke(container, (Object) argument);
  }

  private static ServerException failed(String what, InvocationTargetException e) {
    Throwable cause = Optional.ofNullable(e.getCause()).orElse(e);
    List<String> words = new ArrayList<>();
    for (Throwable t = cause; t != null; t = t.getCause()) {
      words.add(String.valueOf(t.getMessage()));
    }
    return new ServerException(
        "The container could not "
            + what
            + ": "
            + String.join(": ", words)
            + ". Is a container engine running? Else choose another server with -D"
            + RedisServers.PROPERTY
            + "="
            + RedisServers.KINDS,
        cause);
  }

  private static Class<?> library() {
    try {
      return load(LIBRARY);
    } catch (ClassNotFoundException e) {
      throw new ServerException(
          "Testcontainers is not on the path. Add the test dependency"
              + " org.testcontainers:testcontainers, or choose another server with -D"
              + RedisServers.PROPERTY
              + "="
              + RedisServers.KINDS,
          e);
    }
  }

  private static Class<?> load(String name) throws ClassNotFoundException {
    List<ClassLoader> loaders =
        Stream.of(
                Container.class.getClassLoader(),
                Thread.currentThread().getContextClassLoader(),
                ClassLoader.getSystemClassLoader())
            .filter(Objects::nonNull)
            .toList();
    for (ClassLoader loader : loaders) {
      try {
        return Class.forName(name, true, loader);
      } catch (ClassNotFoundException e) {
        // the next class may have it
      }
    }
    throw new ClassNotFoundException(name);
  }
}
