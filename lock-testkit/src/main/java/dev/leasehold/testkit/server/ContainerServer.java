package dev.leasehold.testkit.server;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A server in a container, by Testcontainers. Called by reflection: its jar has no stable module
 * name, so that a module can't require it, and it is optional.
 */
final class ContainerServer implements RedisServer {
  private static final String IMAGE = "redis:7.2-alpine";
  private static final int PORT = 6379;

  private final Object container;
  private final String host;
  private final int port;

  private ContainerServer(Object container) {
    this.container = container;
    this.host = (String) call(container, "getHost");
    this.port = (Integer) call(container, "getMappedPort", PORT);
  }

  static ContainerServer start(ServerOptions options) {
    Object container;
    try {
      Class<?> type = Class.forName("org.testcontainers.containers.GenericContainer");
      container = type.getConstructor(String.class).newInstance(IMAGE);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "leasehold.server=testcontainers, but org.testcontainers:testcontainers is not on the"
              + " class path: add it (test scope), or use leasehold.server=embedded",
          e);
    } catch (ReflectiveOperationException e) {
      throw failed(e);
    }
    List<String> command = new ArrayList<>(List.of("redis-server", "--save", ""));
    command.addAll(options.arguments());
    call(container, "withCommand", (Object) command.toArray(String[]::new));
    call(container, "withExposedPorts", (Object) new Integer[] {PORT});
    call(container, "start");
    return new ContainerServer(container);
  }

  private static IllegalStateException failed(ReflectiveOperationException e) {
    Throwable cause = e instanceof InvocationTargetException t ? t.getCause() : e;
    return new IllegalStateException("Testcontainers could not do it: " + cause, cause);
  }

  /** Calls the public method of that name that takes these arguments. */
  private static Object call(Object target, String name, Object... arguments) {
    for (var method : target.getClass().getMethods()) {
      if (method.getName().equals(name) && accepts(method.getParameterTypes(), arguments)) {
        try {
          method.setAccessible(true); // public, but perhaps of a class that is not
          Object result = method.invoke(target, arguments);
          return result == null ? target : result;
        } catch (ReflectiveOperationException e) {
          throw failed(e);
        }
      }
    }
    throw new IllegalStateException("this version of Testcontainers has no " + name);
  }

  private static boolean accepts(Class<?>[] types, Object[] arguments) {
    if (types.length != arguments.length) {
      return false;
    }
    for (int i = 0; i < types.length; i++) {
      boolean number = types[i] == int.class && arguments[i] instanceof Integer;
      if (!number && !types[i].isInstance(arguments[i])) {
        return false;
      }
    }
    return true;
  }

  private void engine(String command) {
    Object client = call(container, "getDockerClient");
    Object id = call(container, "getContainerId");
    call(call(client, command, id), "exec");
  }

  @Override
  public String host() {
    return host;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.PAUSE); // a restarted container gets another port
  }

  @Override
  public String version() {
    return Versions.of(this) + " in a container";
  }

  @Override
  public void pause() {
    engine("pauseContainerCmd");
  }

  @Override
  public void resume() {
    engine("unpauseContainerCmd");
  }

  @Override
  public void kill() {
    throw new UnsupportedOperationException("a container is not killed: see capabilities()");
  }

  @Override
  public void restart(Data data) {
    throw new UnsupportedOperationException("a container is not restarted: see capabilities()");
  }

  @Override
  public void close() {
    call(container, "stop");
  }

  @Override
  public String toString() {
    return uri();
  }
}
