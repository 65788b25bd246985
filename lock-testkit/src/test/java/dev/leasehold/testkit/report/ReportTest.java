package dev.leasehold.testkit.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.Recipe;
import dev.leasehold.testkit.RedisBackend;
import dev.leasehold.testkit.view.ValueForm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The report's command line")
class ReportTest {
  @Test
  @DisplayName("every option is read")
  void options() {
    ReportArguments read =
        ReportArguments.parse(
            List.of("--server path --backend a --backend b --html h --json j --log l".split(" ")));
    assertEquals(
        new ReportArguments(
            Optional.of("path"),
            List.of("a", "b"),
            List.of(),
            List.of(),
            Optional.of(Path.of("h")),
            Optional.of(Path.of("j")),
            Optional.of(Path.of("l"))),
        read);
  }

  @Test
  @DisplayName("a URL of a server can take its place")
  void url() {
    assertEquals(
        Optional.of("redis://127.0.0.1:1"),
        ReportArguments.parse(List.of("--redis", "redis://127.0.0.1:1")).server());
  }

  @Test
  @DisplayName("the report's --also knows what a scheme stores, and so does a worker")
  void modes() {
    ReportArguments arguments =
        ReportArguments.parse(List.of("--also", "redis-setnx,lock.redis-setnx.scheme=yii2"));
    BackendUnderTest mode = arguments.also().get(0);
    assertEquals("redis-setnx (redis-setnx.scheme=yii2)", mode.name());
    assertEquals(ValueForm.YII2.linger(), mode.linger());
    BackendUnderTest there = Recipe.make(mode.recipe());
    assertEquals(mode.recipe(), there.recipe());
    assertEquals(mode.linger(), there.linger());
    assertEquals(Duration.ZERO, RedisBackend.of("redis-set").linger());
  }

  @Test
  @DisplayName("an unknown option, and one without its value, are refused with the usage")
  void refused() {
    for (String line : List.of("--htlm report.html", "--log", "--backend a --json")) {
      IllegalArgumentException refusal =
          assertThrows(
              IllegalArgumentException.class,
              () -> ReportArguments.parse(List.of(line.split(" "))),
              line);
      assertTrue(refusal.getMessage().contains("usage: Report"), refusal::getMessage);
    }
  }

  @Test
  @DisplayName("errors are one line or two, without a stack trace, with status 2")
  void status() throws Exception {
    String unknown = said("--htlm");
    assertTrue(unknown.startsWith("no such option: --htlm"), unknown);
    String log = said("--log", Path.of("no", "such", "folder", "log").toString());
    assertTrue(log.startsWith("--log: can't be written"), log);
    String none = said("--backend", "nobody");
    assertTrue(none.startsWith("no lock backend is on the path by the id [nobody]"), none);
  }

  private static String said(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Report.class.getName()));
    command.addAll(List.of(args));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(30, TimeUnit.SECONDS), "the report runs on");
    assertEquals(2, process.exitValue(), said);
    assertTrue(said.lines().noneMatch(line -> line.startsWith("\tat ")), said);
    return said;
  }
}
