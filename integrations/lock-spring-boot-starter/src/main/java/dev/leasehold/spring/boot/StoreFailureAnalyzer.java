package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Explains at startup that Redis is unreachable or refuses, by the properties that configure the
 * connection: the application's or Leasehold's.
 */
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<LockStoreException> {
  /** A hint in the backends' messages, replaced here by property names. */
  private static final String WHO_LOGS_IN = " \\(lock\\.redis\\.username and [^)]*\\)";

  private static final String BOOTS = "spring.data.redis.";
  private static final List<String> LOGIN = List.of("url", "username", "password");
  private static final List<String> ADDRESS =
      List.of("url", "host", "port", "sentinel.nodes", "cluster.nodes");

  private final Environment environment;

  StoreFailureAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  protected FailureAnalysis analyze(Throwable failure, LockStoreException cause) {
    String message = String.valueOf(cause.getMessage());
    String words = message.replaceFirst(WHO_LOGS_IN, "");
    boolean login = !words.equals(message);
    boolean refused = cause.kind() == LockStoreException.Kind.REFUSED;
    LockSettings settings = EnvironmentSettings.of(environment);
    String where =
        Connection.isOwn(settings)
            ? "The connection is Leasehold's own: "
                + named(login ? LOGIN.stream() : Stream.of("uri"), "leasehold.redis.")
                + ", or the nodes' addresses."
            : "The connection is the application's own: "
                + named((login ? LOGIN : ADDRESS).stream(), BOOTS)
                + ", or the bean that makes it.";
    String action =
        login
            ? "Redis answers, and refuses the login. " + where
            : refused
                ? "Redis answers, and refuses: what locks need to be allowed is in"
                    + " docs/topologies.md. "
                    + where
                : "Look whether Redis runs and may be reached from here. "
                    + where
                    + " With leasehold.open = lazy the application starts without it, and locks"
                    + " are opened at their first use.";
    return new FailureAnalysis(
        "Leasehold could not open its locks: " + EnvironmentSettings.inOurWords(words),
        action,
        cause);
  }

  /** The properties that are set, with their origins; or all of them, if none is set. */
  private String named(Stream<String> properties, String prefix) {
    List<String> all = properties.map(prefix::concat).toList();
    List<String> set = all.stream().filter(environment::containsProperty).toList();
    return set.isEmpty()
        ? String.join(", ", all)
        : set.stream()
            .map(name -> name + " (" + EnvironmentSettings.origin(environment, name) + ")")
            .collect(Collectors.joining(", "));
  }
}
