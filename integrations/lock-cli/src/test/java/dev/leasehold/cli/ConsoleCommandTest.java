package dev.leasehold.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The command that serves the page")
class ConsoleCommandTest extends OnServer {

  @Test
  @DisplayName("says where the page is, and the token; an interrupt ends it")
  void serves() throws Exception {
    takeAway();
    try (Launched console = leasehold("console", name, "--port", "0", "--allow-break")) {
      List<String> lines = console.lines(2);
      assertTrue(lines.get(0).matches("http://127\\.0\\.0\\.1:\\d+/"), lines::toString);
      assertTrue(lines.get(1).matches("token to break holds: [\\w-]{22}"), lines::toString);
      URI state = URI.create(lines.get(0)).resolve("/events");
      try (var events =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(state).build(), BodyHandlers.ofLines())
              .body()) {
        assertTrue(events.anyMatch(line -> line.contains("\"name\":\"" + name + "\"")));
      }
      console.signal("INT");
      assertEquals(130, console.exitCode());
      assertEquals("", console.stderr());
    }
  }

  @Test
  @DisplayName("says that the port is in use")
  void portInUse() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = "" + other.getLocalPort();
      UsageTest.Said said = UsageTest.Said.by("console", "--port", port, "--redis", server.uri());
      assertEquals(ExitCode.USAGE, said.code(), said.err());
      assertTrue(said.err().contains("--port = " + port + ": can't listen"), said.err());
    }
  }
}
