package dev.leasehold.redlock;

import static java.lang.reflect.Modifier.isStatic;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Loads all of Leasehold again with edits applied: sources are recompiled, scripts are read with
 * the change. The modelled server and Lua are not changed.
 */
final class MutantLoader extends ClassLoader {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Kept, since it has cached the contents of the jars. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8);

  private final Map<String, byte[]> classes = new HashMap<>();
  private final Map<String, byte[]> resources = new HashMap<>();

  MutantLoader(List<Edit> edits) {
    super(MutantLoader.class.getClassLoader());
    Map<String, String> sources = new LinkedHashMap<>();
    Map<String, String> scripts = new LinkedHashMap<>();
    for (Edit edit : edits) {
      Map<String, String> to = edit.isJava() ? sources : scripts;
      String before = to.containsKey(edit.resource()) ? to.get(edit.resource()) : edit.shipped();
      to.put(edit.resource(), edit.applied(before));
    }
    scripts.forEach((name, text) -> resources.put(name, text.getBytes(StandardCharsets.UTF_8)));
    if (!sources.isEmpty()) {
      compile(sources);
    }
  }

  private void compile(Map<String, String> sources) {
    List<JavaFileObject> units = new ArrayList<>();
    sources.forEach((name, text) -> units.add(new Source(name, text)));
    StringWriter problems = new StringWriter();
    boolean fine;
    synchronized (FILES) {
      fine =
          COMPILER
              .getTask(
                  problems,
                  new Memory(FILES),
                  null,
                  List.of("-proc:none", "-nowarn", "-parameters", "-XDuseUnsharedTable=true"),
                  null,
                  units)
              .call();
    }
    if (!fine) {
      throw new IllegalStateException("the mutant does not compile: " + problems);
    }
  }

  /**
   * Calls a method of a class loaded here, on a new instance unless it is static; rethrows its
   * exception.
   */
  void run(String className, String method, Object... arguments) throws Throwable {
    Class<?>[] types = new Class<?>[arguments.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = arguments[i] instanceof Long ? long.class : arguments[i].getClass();
    }
    Class<?> type = loadClass(className);
    var called = type.getDeclaredMethod(method, types);
    called.setAccessible(true);
    try {
      called.invoke(isStatic(called.getModifiers()) ? null : made(type), arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Object made(Class<?> type) throws ReflectiveOperationException {
    var constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }

  private static boolean isOurs(String name) {
    return name.startsWith("dev.leasehold.") && !name.startsWith("dev.leasehold.simulation.");
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!isOurs(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? define(name) : known;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] code = classes.get(name);
    if (code == null) {
      try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        code = in.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return defineClass(name, code, 0, code.length);
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    byte[] changed = resources.get(name);
    return changed == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(changed);
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("mutant:///" + name + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
    Memory(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("mutant:///" + className + ".class"), kind) {
        @Override
        public OutputStream openOutputStream() {
          return new ByteArrayOutputStream() {
            @Override
            public void close() {
              classes.put(className, toByteArray());
            }
          };
        }
      };
    }
  }
}
