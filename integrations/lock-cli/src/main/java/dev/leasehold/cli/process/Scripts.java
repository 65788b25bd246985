package dev.leasehold.cli.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The shell scripts, as text. */
final class Scripts {
  private Scripts() {}

  static String text(String name) {
    try (InputStream in = Objects.requireNonNull(Scripts.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }
}
