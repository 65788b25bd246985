package dev.leasehold.examples.demo;

import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The command {@code leasehold}, on an embedded Redis if neither its options nor the environment
 * name a server. Its classes have to be on the path.
 */
public final class CommandOnRedis {
  private static final String URI = "LEASEHOLD_REDIS_URI";

  private CommandOnRedis() {}

  /** Arguments: those of the command. Ends with its exit code. */
  public static void main(String[] words) throws IOException, InterruptedException {
    System.exit(run(List.of(words), System.getenv()));
  }

  private static int run(List<String> words, Map<String, String> environment)
      throws IOException, InterruptedException {
    if (namesServer(words, environment)) {
      return start(words, Map.of());
    }
    try (RedisServer server = RedisServers.start()) {
      return start(words, Map.of(URI, server.uri()));
    }
  }

  private static boolean namesServer(List<String> words, Map<String, String> environment) {
    int end = words.indexOf("--"); // what follows is another program's
    List<String> own = end < 0 ? words : words.subList(0, end);
    return own.stream().anyMatch(CommandOnRedis::namesServer)
        || environment.keySet().stream().anyMatch(CommandOnRedis::isSetting);
  }

  private static boolean namesServer(String word) {
    return word.matches("--(redis|config)(=.*)?")
        || word.matches("(--set=)?(lock\\.)?redlock\\..*");
  }

  private static boolean isSetting(String variable) {
    return variable.equals(URI)
        || variable.equals("LEASEHOLD_CONFIG")
        || variable.startsWith("LEASEHOLD_REDLOCK_");
  }

  private static int start(List<String> words, Map<String, String> more)
      throws IOException, InterruptedException {
    ProcessBuilder command = JavaProcess.of(JavaProcess.LEASEHOLD, words).inheritIO();
    command.environment().putAll(more);
    return command.start().waitFor();
  }
}
