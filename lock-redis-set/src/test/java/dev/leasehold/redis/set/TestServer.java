package dev.leasehold.redis.set;

import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServer.Data;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.ServerOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.jspecify.annotations.Nullable;

/** One of the kit's servers, with a connection of its own to look into it. */
final class TestServer implements AutoCloseable {
  private final RedisServer server;
  private final RedisClient client = RedisClient.create();
  private @Nullable StatefulRedisConnection<String, String> connection;

  private TestServer(RedisServer server) {
    this.server = server;
  }

  static TestServer start(String kind, String... arguments) {
    return start(kind, ServerOptions.defaults().with(arguments));
  }

  static TestServer start(String kind, ServerOptions options) {
    return new TestServer(RedisServers.start(kind, options));
  }

  int port() {
    return server.port();
  }

  String uri() {
    return server.uri();
  }

  String unixSocket() {
    return server.unixSocket().orElseThrow().toString();
  }

  /** Looks into it, or changes it behind the store's back. */
  RedisCommands<String, String> admin() {
    if (connection == null) {
      connection = client.connect(RedisURI.create(uri()));
    }
    return connection.sync();
  }

  /** A command that Lettuce has no method for. */
  void call(String... words) {
    server.call(words);
  }

  void pause() {
    server.pause();
  }

  void resume() {
    server.resume();
  }

  void restartEmpty() {
    server.restart(Data.LOSE);
  }

  void kill() {
    server.kill();
  }

  @Override
  public void close() {
    client.shutdown();
    server.close();
  }
}
