package dev.leasehold.cli.process;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The signals that this JVM can receive and pass on. A handler inside the JVM knows whether it
 * waits or runs a command, and acts at once; a shell script would act only between its own
 * commands.
 *
 * <p>Excluded are {@code KILL} and {@code STOP}, which no process can handle; {@code QUIT}, with
 * which a JVM prints its threads; and the signals that the JVM uses itself.
 */
public final class SignalHandlers {
  private static final List<String> PASSED_ON =
      List.of("HUP", "INT", "TERM", "ALRM", "USR1", "USR2", "WINCH", "CONT");

  /** Signals that do not end a process. */
  private static final Set<String> HARMLESS = Set.of("WINCH", "CONT");

  private static final int EXIT_BASE = 128;

  private SignalHandlers() {}

  /**
   * A signal.
   *
   * @param name such as {@code TERM}
   * @param exitCode the exit code of a process that it ends, as shells report it
   */
  public record Caught(String name, int exitCode) {
    /** Returns whether it ends a process that does not handle it. */
    public boolean ends() {
      return !HARMLESS.contains(name);
    }
  }

  /**
   * Handles all of them from now on. A signal that was ignored when this JVM started, as by {@code
   * nohup}, remains ignored.
   */
  public static void handle(Consumer<Caught> handler) {
    for (String name : PASSED_ON) {
      handle(name, handler);
    }
  }

  /**
   * Registers a handler through reflection on {@code sun.misc.Signal}: its module is supported, but
   * javac warns about each direct use.
   */
  private static void handle(String name, Consumer<Caught> handler) {
    try {
      Class<?> type = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object signal = type.getConstructor(String.class).newInstance(name);
      int number = (int) type.getMethod("getNumber").invoke(signal);
      Caught caught = new Caught(name, EXIT_BASE + number);
      InvocationHandler calls =
          (proxy, method, arguments) -> {
            if (method.getName().equals("handle")) {
              handler.accept(caught);
            }
            return null;
          };
      Object proxy =
          Proxy.newProxyInstance(handlerType.getClassLoader(), new Class<?>[] {handlerType}, calls);
      type.getMethod("handle", type, handlerType).invoke(null, signal, proxy);
    } catch (InvocationTargetException e) {
      return; // the JVM uses it, or the system has none of that name
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JVM has no sun.misc.Signal", e);
    }
  }
}
