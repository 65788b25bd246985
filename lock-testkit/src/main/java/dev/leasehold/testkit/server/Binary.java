package dev.leasehold.testkit.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * An executable of Redis or Valkey.
 *
 * @param path of the executable
 * @param tls whether it was built with TLS
 */
record Binary(Path path, boolean tls) {
  private static final Map<Path, Binary> KNOWN = new ConcurrentHashMap<>();
  private static final Pattern VERSION = Pattern.compile("server v=\\d+\\.");

  /** Runs the executable to find out its features; the result is cached. */
  static Binary at(Path path) {
    return KNOWN.computeIfAbsent(path, Binary::ask);
  }

  private static Binary ask(Path path) {
    if (!Files.isExecutable(path)) {
      throw new ServerException("leasehold.server names " + path + ", which can't be executed");
    }
    String words = output(path, "--version");
    if (!VERSION.matcher(words).find()) {
      throw new ServerException(
          path + " is no Redis or Valkey server: --version printed \"" + words.strip() + "\"");
    }
    // Without a certificate both kinds stop at once, but only a build with TLS knows the option.
    String refusal = output(path, "--port", "0", "--tls-port", "1", "--save", "");
    boolean tls = refusal.contains("TLS") && !refusal.contains("FATAL CONFIG");
    return new Binary(path, tls);
  }

  private static String output(Path path, String... arguments) {
    List<String> command = new ArrayList<>(List.of(path.toString()));
    command.addAll(List.of(arguments));
    return OsCommands.run(command).output();
  }
}
