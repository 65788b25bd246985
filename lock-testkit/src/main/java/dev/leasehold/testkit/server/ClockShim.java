package dev.leasehold.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A wall clock that a test can set, for the processes started with its {@link #environment()}:
 * servers and JVMs alike. Their monotonic clocks are not affected.
 *
 * <p>It is a small C library that intercepts the wall-clock functions of the C library. It is
 * compiled at first use, so it needs Linux and a C compiler; elsewhere {@link #available()} is
 * empty and {@link #whyNot()} gives the reason. Statically linked programs ignore it.
 *
 * <p>Thread-safe.
 */
public final class ClockShim {
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final List<String> COMPILERS = List.of("cc", "gcc", "clang");

  private static @Nullable Compiled compiled;

  private final Path library;
  private final Path file;
  private final ReentrantLock lock = new ReentrantLock();
  private Duration offset = Duration.ZERO;

  /** Either the library, or the reason why there is none. */
  private record Compiled(Optional<Path> library, String whyNot) {}

  private ClockShim(Path library) {
    this.library = library;
    this.file = ResourceReaper.directory("clock").resolve("offset");
    write(Duration.ZERO);
  }

  /** A new clock that shows the right time; empty if this machine does not support it. */
  public static Optional<ClockShim> available() {
    return compiled().library().map(ClockShim::new);
  }

  /** Why {@link #available()} is empty; an empty text if it is not. */
  public static String whyNot() {
    return compiled().whyNot();
  }

  /** The environment variables that make a process read this clock. */
  public Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "LEASEHOLD_CLOCK", file.toString());
  }

  /** Moves the clock forwards, or backwards if negative, at once for all its processes. */
  public void jump(Duration by) {
    lock.lock();
    try {
      offset = offset.plus(by);
      write(offset);
    } finally {
      lock.unlock();
    }
  }

  /** How far the clock is ahead of the machine's. */
  public Duration offset() {
    lock.lock();
    try {
      return offset;
    } finally {
      lock.unlock();
    }
  }

  Path library() {
    return library;
  }

  /**
   * Eight bytes in a single write: a process that has the file mapped sees the old or the new
   * value.
   */
  private void write(Duration value) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    bytes.putLong(value.toNanos()).flip();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(bytes, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Compiled compiled() {
    LOCK.lock();
    try {
      Compiled result = compiled;
      if (result == null) {
        result = compile();
        compiled = result;
      }
      return result;
    } finally {
      LOCK.unlock();
    }
  }

  private static Compiled compile() {
    String os = System.getProperty("os.name", "");
    if (!os.toLowerCase(Locale.ROOT).contains("linux")) {
      return new Compiled(Optional.empty(), "clocks can be turned on Linux only, this is " + os);
    }
    Optional<Path> compiler = Programs.find(COMPILERS);
    if (compiler.isEmpty()) {
      return new Compiled(
          Optional.empty(),
          "turning a clock needs a C compiler, and none of "
              + String.join(", ", COMPILERS)
              + " is on the PATH");
    }
    Path folder = ResourceReaper.directory("shim");
    Path source = folder.resolve("clock.c");
    Path library = folder.resolve("clock.so");
    try (InputStream in = ClockShim.class.getResourceAsStream("clock.c")) {
      Files.copy(Objects.requireNonNull(in), source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    OsCommands.Result result =
        OsCommands.run(
            List.of(
                compiler.get().toString(),
                "-O2",
                "-shared",
                "-fPIC",
                "-o",
                library.toString(),
                source.toString()));
    if (result.status() != 0) {
      return new Compiled(
          Optional.empty(),
          compiler.get() + " did not compile the clock: " + result.output().strip());
    }
    return new Compiled(Optional.of(library), "");
  }
}
