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
 * A wall clock that a test can turn, for the processes that are started with its {@link
 * #environment()}: servers and JVMs alike. Their monotonic clocks run on undisturbed.
 *
 * <p>It is a small library in C that answers for the C library's wall-clock functions. It is
 * compiled when it is first needed, so it exists on Linux with a C compiler only; elsewhere {@link
 * #available()} is empty and {@link #whyNot()} says why. A statically linked program does not look
 * at it.
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

  /** One of the two is there: the library, or the reason why there is none. */
  private record Compiled(Optional<Path> library, String whyNot) {}

  private ClockShim(Path library) {
    this.library = library;
    this.file = ResourceReaper.directory("clock").resolve("offset");
    write(Duration.ZERO);
  }

  /** A new clock that shows the right time, where this machine allows one. */
  public static Optional<ClockShim> available() {
    return compiled().library().map(ClockShim::new);
  }

  /** Why {@link #available()} is empty; an empty text where it is not. */
  public static String whyNot() {
    return compiled().whyNot();
  }

  /** What a process needs in its environment to read this clock. */
  public Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "LEASEHOLD_CLOCK", file.toString());
  }

  /** Turns the clock forwards, or backwards if negative, at once for all its processes. */
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

  /** Eight bytes in one write: a reader, who has them mapped, sees the old or the new ones. */
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
    Commands.Result result =
        Commands.run(
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
