package dev.leasehold.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockConfigurationException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Wrong usage")
class UsageTest {

  /** What the command says, and its exit code. */
  record Said(int code, String out, String err) {
    static Said by(String... arguments) {
      PrintStream out = System.out;
      PrintStream err = System.err;
      ByteArrayOutputStream said = new ByteArrayOutputStream();
      ByteArrayOutputStream wrong = new ByteArrayOutputStream();
      System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
      System.setErr(new PrintStream(wrong, true, StandardCharsets.UTF_8));
      try {
        int code = Main.commandLine(arguments).execute(arguments);
        return new Said(
            code, said.toString(StandardCharsets.UTF_8), wrong.toString(StandardCharsets.UTF_8));
      } finally {
        System.setOut(out);
        System.setErr(err);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      value = {
        "run x --wait 5 -- true; --wait = '5'; from 0ms to 100000d",
        "run x --wait -1s -- true; --wait = '-1s'; from 0ms to 100000d",
        "run x --wait 1s -n -- true; --wait = '1s'; one of them",
        "run x -E 256 -- true; -E = '256'; from 0 to 255",
        "run x --permits 0 -- true; --permits = '0'; from 1 to 1000000",
        "run x --lease 1ms -- true; lock.lease = '1ms' (the option --lease); from 10ms to 365d",
        "run x --lease 2s --grace 3s -- true; --grace = '3s'; from 0ms to 1s",
        "run x --read --permits 2 -- true; --read, --write and --permits; one of them",
        "run x --permits 2 --at-least 1m -- true; --at-least = '1m'; only without",
        "run x --read --fair -- true; --fair; only without",
        "run x --backend no -- true; lock.backend = 'no' (the option --backend); there are: ",
        "run x --redis x -- true; lock.redis.uri = 'x' (the option --redis); redis://host:port",
        "run x --set lease -- true; --set = 'lease'; key=value",
        "run x --set leas=1s -- true; lock.leas (the option --set); did you mean lock.lease?",
        "run x --config /no/such -- true; --config = '/no/such'; key = value",
        "run x --nonsense -- true; Unknown option: '--nonsense'; --help",
        "run x; COMMAND; --help",
        "nonsense; there is no subcommand 'nonsense'; one of run, ls, show",
        "rnu job -- date; there is no subcommand 'rnu'; --help",
        "watch --every 1ms; --every = '1ms'; from 100ms to 1h",
        "watch --for x; --for = 'x'; from 100ms to 365d",
        "doctor --name x --no-trial; --name; only without",
        "console --port 70000; --port = 70000; 0 to 65535",
        "console --every 1ms; --every = '1ms'; from 200ms to 1h",
        "console --bind no.such.host.invalid; --bind = 'no.such.host.invalid'; address of this"
            + " machine",
        "completion fish; fish; bash, zsh",
      })
  @DisplayName("It names the option, the value and what is allowed, and exits with 64")
  void named(String line, String what, String allowed) {
    Said said = Said.by(line.split(" ", -1));
    assertEquals(ExitCode.USAGE, said.code(), said.err());
    assertEquals("", said.out());
    assertTrue(said.err().contains(what), said.err());
    assertTrue(said.err().contains(allowed), said.err());
    said.err().lines().forEach(each -> assertTrue(each.startsWith("leasehold: "), said.err()));
  }

  @Test
  @DisplayName("Options win over the environment, and that over the file")
  void layers(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("leasehold.properties");
    Files.writeString(
        file, "lock.lease = 10s\nlock.label = \u00e9\nlock.redis.uri = redis://a:1\n");
    ConnectionOptions options = new ConnectionOptions();
    options.redis = "redis://c:3";
    CommandSettings settings =
        options.read(
            Map.of(
                "LEASEHOLD_CONFIG", file.toString(),
                "LEASEHOLD_REDIS_URI", "redis://b:2",
                "LEASEHOLD_HAND_OVER_TIMES", "5",
                "LEASEHOLD_TOKEN", "17",
                "LOCK_FILE", "of something else"));
    assertEquals("redis://c:3", settings.text("lock.redis.uri").orElseThrow());
    assertEquals("5", settings.text("lock.hand-over.times").orElseThrow());
    assertEquals("10s", settings.text("lock.lease").orElseThrow());
    assertEquals("\u00e9", settings.text("lock.label").orElseThrow());
    assertEquals("the file " + file, settings.origin("lock.lease"));
    assertEquals(
        "the environment variable LEASEHOLD_HAND_OVER_TIMES",
        settings.origin("lock.hand-over.times"));
    assertEquals(
        Set.of(
            "lock.backend", "lock.hand-over.times", "lock.label", "lock.lease", "lock.redis.uri"),
        settings.keys());
  }

  @Test
  @DisplayName("A password is in no message")
  void passwords() {
    String secret = "s3cret";
    Said said = Said.by("run", "x", "--redis", "redis://u:" + secret + "@h:99999", "--", "true");
    assertEquals(ExitCode.USAGE, said.code());
    assertTrue(!said.err().contains(secret), said.err());
    LockConfigurationException wrong =
        Assertions.assertThrows(
            LockConfigurationException.class, () -> new CommandSettings().assignment(secret));
    assertTrue(String.valueOf(wrong.getMessage()).contains("key=value"));
  }

  @Test
  @DisplayName("Help, version and completion scripts go to standard output")
  void help() {
    Said help = Said.by("run", "--help");
    assertEquals(0, help.code());
    assertTrue(help.out().contains("--at-least=TIME"), help.out());
    assertTrue(!help.out().contains("\u001b"), "no colours: it is no terminal");
    assertTrue(Said.by("--version").out().startsWith("leasehold "));
    assertTrue(Said.by("completion", "zsh").out().contains("bashcompinit"));
  }
}
