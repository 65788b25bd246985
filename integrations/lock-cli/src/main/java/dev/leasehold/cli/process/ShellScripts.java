package dev.leasehold.cli.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The shell scripts, as text. */
final class ShellScripts {
  private ShellScripts() {}

  static String text(String name) {
    try (InputStream in =
        Objects.requireNonNull(ShellScripts.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }
}
