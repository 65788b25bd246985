package dev.leasehold.examples.jars;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Repository;
import dev.leasehold.examples.demo.Showcase;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.io.BufferedReader;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The demo's page")
class ShowcaseIT {
  private static final Pattern PAGE = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @Test
  @DisplayName("shows locks that processes contend for, and Enter leaves nothing behind")
  void page() throws Exception {
    Path command =
        Repository.root().resolve("integrations/lock-cli/target/leasehold/leasehold.jar");
    assertTrue(Files.exists(command), "run by mvn verify, which packages the jars first");
    try (RedisServer server = RedisServers.start()) {
      Process showcase =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path") + File.pathSeparator + command,
                  Showcase.class.getName(),
                  server.uri(),
                  "0")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try {
        URI page = page(showcase.inputReader(StandardCharsets.UTF_8));
        Await.until("locks are held and waited for", () -> isBusy(page.resolve("/state")));
        List<ProcessHandle> children = showcase.descendants().toList();
        assertEquals(5, children.size(), children::toString);
        showcase.getOutputStream().write('\n');
        showcase.getOutputStream().flush();
        assertEquals(0, showcase.waitFor());
        assertTrue(children.stream().noneMatch(ProcessHandle::isAlive), children::toString);
      } finally {
        showcase.descendants().forEach(ProcessHandle::destroyForcibly);
        showcase.destroyForcibly();
      }
    }
  }

  private static URI page(BufferedReader said) throws Exception {
    StringBuilder all = new StringBuilder();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      all.append(line).append('\n');
      Matcher page = PAGE.matcher(line);
      if (page.find()) {
        return URI.create(page.group());
      }
    }
    throw new AssertionError("no page: " + all);
  }

  private static boolean isBusy(URI state) throws Exception {
    String body =
        CLIENT.send(HttpRequest.newBuilder(state).build(), BodyHandlers.ofString()).body();
    return List.of("orders", "stock", "prices", "exports").stream()
            .allMatch(name -> body.contains("\"name\":\"" + name + "\""))
        && Pattern.compile("\"waiting\":[1-9]").matcher(body).find();
  }
}
