package dev.leasehold.jdbc;

import dev.leasehold.testkit.server.Ports;
import dev.leasehold.testkit.server.StoreServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.h2.engine.Constants;
import org.h2.tools.Server;

/** H2 in a JVM of its own, on loopback, with its data in memory. */
final class H2Server {
  private H2Server() {}

  static StoreServer start() {
    int port = Ports.free();
    String url = "jdbc:h2:tcp://127.0.0.1:" + port + "/mem:locks;DB_CLOSE_DELAY=-1";
    return StoreServer.ofProcess(url, "H2 " + Constants.VERSION, () -> run(port));
  }

  private static Process run(int port) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = System.getProperty("java.class.path");
    String server = Server.class.getName();
    List<String> command =
        List.of(
            java,
            "-Xmx96m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dh2.bindAddress=127.0.0.1",
            "-cp",
            classes,
            server,
            "-tcp",
            "-tcpPort",
            Integer.toString(port),
            "-ifNotExists");
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = process.inputReader().readLine(); // when it listens
      if (said == null || !said.contains("running")) {
        throw new IllegalStateException("H2 does not start: " + said);
      }
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
