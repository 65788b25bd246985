package dev.leasehold.examples.jars;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Surefire hides what the module path lacks, because it puts the rest on the class path. Here each
 * backend's jar and what it needs, and nothing else, is started for real.
 */
@DisplayName("The packaged jars take a lock, on the module path and on the class path")
class SmokeIT {
  @TempDir static Path folder;
  private static SmokeApp app;

  @BeforeAll
  static void compile() throws Exception {
    app = SmokeApp.compiledIn(folder);
  }

  @ParameterizedTest(name = "on the {0}")
  @EnumSource
  @DisplayName("Without a backend the error says which jars to add")
  void noBackend(SmokeApp.Launch launch) throws Exception {
    SmokeApp.Outcome outcome = app.run(launch, Jars.runtimePath("lock-api"), List.of());
    assertNotEquals(0, outcome.status(), outcome::output);
    assertTrue(outcome.output().contains("LockConfigurationException"), outcome::output);
    assertTrue(outcome.output().contains("lock-redis-set"), outcome::output);
  }
}
