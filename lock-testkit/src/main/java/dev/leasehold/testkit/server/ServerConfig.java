package dev.leasehold.testkit.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes a server's configuration file. */
final class ServerConfig {
  private static final String SOCKET = "server.sock";

  /**
   * In bytes: the lowest limit among operating systems. Servers only log that a path is too long.
   */
  private static final int LONGEST_SOCKET = 103;

  private ServerConfig() {}

  /** Writes the file into the server's folder, and returns its path. */
  static Path write(ServerOptions options, Path folder, int port, Optional<Path> socket) {
    List<String> lines = new ArrayList<>();
    lines.add("bind 127.0.0.1");
    lines.add("daemonize no");
    lines.add("dir " + quoted(folder));
    if (options.tls().isPresent()) {
      TlsFiles tls = options.tls().get();
      lines.add("port 0");
      lines.add("tls-port " + port);
      lines.add("tls-cert-file " + quoted(tls.certificate()));
      lines.add("tls-key-file " + quoted(tls.key()));
      lines.add("tls-ca-cert-file " + quoted(tls.certificate()));
      lines.add("tls-auth-clients " + (options.wantsCertificates() ? "yes" : "no"));
    } else {
      lines.add("port " + port);
    }
    if (options.role() != ServerRole.SENTINEL) {
      lines.add("save \"\"");
      lines.add("appendonly " + (options.hasAppendOnlyFile() ? "yes" : "no"));
      lines.add("appendfsync everysec");
      // Replicas sync at once instead of waiting for more replicas to share the transfer.
      lines.add("repl-diskless-sync-delay 0");
    }
    if (options.role() == ServerRole.CLUSTER_NODE) {
      lines.add("cluster-enabled yes");
      lines.add("cluster-config-file nodes.conf");
    }
    socket.ifPresent(path -> lines.add("unixsocket " + quoted(path)));
    options.password().ifPresent(password -> lines.add("requirepass " + quoted(password)));
    lines.addAll(options.lines());
    try {
      return Files.write(folder.resolve("server.conf"), lines);
    } catch (IOException e) {
      throw new ServerException("The configuration can't be written to " + folder, e);
    }
  }

  /** A path in the server's folder, or in a folder with a short path if that one is too long. */
  static Path socket(Path folder) {
    Path socket = folder.resolve(SOCKET);
    boolean fits = socket.toString().getBytes(StandardCharsets.UTF_8).length <= LONGEST_SOCKET;
    return fits ? socket : ResourceReaper.directory("/tmp", "socket").resolve(SOCKET);
  }

  private static String quoted(Object text) {
    return '"' + text.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
