package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports all problems of settings and {@code @Locked} methods, by the properties' names. */
final class ConfigurationFailureAnalyzer
    extends AbstractFailureAnalyzer<LockConfigurationException> {

  ConfigurationFailureAnalyzer() {}

  @Override
  protected FailureAnalysis analyze(Throwable failure, LockConfigurationException cause) {
    String description = EnvironmentSettings.inOurWords(String.valueOf(cause.getMessage()));
    String action =
        description.contains("no lock backend is on the path")
            ? "Add one of the jars named in the description."
            : "Correct what is named: each line says what is allowed or what to do.";
    return new FailureAnalysis(description, action, cause);
  }
}
