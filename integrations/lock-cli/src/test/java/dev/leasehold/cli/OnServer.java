package dev.leasehold.cli;

import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A real server, and names that no other test uses. */
abstract class OnServer {
  private static final AtomicInteger NAMES = new AtomicInteger();
  static RedisServer server;

  final String name = "job-" + NAMES.incrementAndGet();

  @BeforeAll
  static void startServer() {
    server = RedisServers.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  static Map<String, String> environment() {
    return Map.of("LEASEHOLD_REDIS_URI", server.uri());
  }

  static Launched leasehold(String... arguments) {
    return Launched.start(environment(), arguments);
  }

  final String key() {
    return "lh:{" + name + "}";
  }

  final Optional<Object> redis(String... words) {
    return server.call(words);
  }

  /** Takes the lock, as another process would. */
  final void takeAway() {
    redis("SET", key(), "thief-1-abcd:00", "PX", "60000");
  }

  final void awaitWaiters(long number) {
    Await.until(
        number + " in the line",
        () ->
            redis("ZCARD", key() + ":wait").map(Object::toString).orElse("0").equals("" + number));
  }
}
