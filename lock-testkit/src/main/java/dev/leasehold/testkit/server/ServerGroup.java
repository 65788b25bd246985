package dev.leasehold.testkit.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The independent servers of a quorum as one server: each operation applies to all of them. Where a
 * single one is needed (host, port, connections, log) it is the first. Thread-safe as they are.
 */
public final class ServerGroup implements RedisServer {
  private static final Executor GROUP =
      task -> {
        Thread thread = new Thread(task, "kit-servers");
        thread.setDaemon(true);
        thread.start();
      };

  private final List<RedisServer> servers;
  private final Consumer<RedisServer> admit;

  private ServerGroup(List<RedisServer> servers, Consumer<RedisServer> admit) {
    this.servers = List.copyOf(servers);
    this.admit = admit;
  }

  /**
   * Starts this many servers, all with these options.
   *
   * @param admit called with each server that was started or lost its data: for a quorum it may
   *     have to declare that no lock was held there
   */
  public static ServerGroup start(int count, ServerOptions options, Consumer<RedisServer> admit) {
    return start(Collections.nCopies(count, options), admit);
  }

  /** As above, with options for each, in the order of {@link #servers()}. */
  public static ServerGroup start(List<ServerOptions> each, Consumer<RedisServer> admit) {
    List<CompletableFuture<RedisServer>> starting =
        each.stream()
            .map(options -> CompletableFuture.supplyAsync(() -> RedisServers.start(options), GROUP))
            .toList();
    ServerGroup group =
        new ServerGroup(starting.stream().map(CompletableFuture::join).toList(), admit);
    group.onEach(group::admitted);
    return group;
  }

  /** The servers. */
  public List<RedisServer> servers() {
    return servers;
  }

  private <T> List<T> onEach(Function<RedisServer, T> act) {
    List<CompletableFuture<T>> acts =
        servers.stream()
            .map(server -> CompletableFuture.supplyAsync(() -> act.apply(server), GROUP))
            .toList();
    try {
      return acts.stream().map(CompletableFuture::join).toList();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private RedisServer admitted(RedisServer server) {
    admit.accept(server);
    return server;
  }

  private RedisServer first() {
    return servers.get(0);
  }

  @Override
  public String host() {
    return first().host();
  }

  @Override
  public int port() {
    return first().port();
  }

  /** All addresses, separated by commas. */
  @Override
  public String uri() {
    return servers.stream().map(RedisServer::uri).collect(Collectors.joining(","));
  }

  @Override
  public Set<Capability> capabilities() {
    Set<Capability> all = EnumSet.allOf(Capability.class);
    servers.forEach(server -> all.retainAll(server.capabilities()));
    return all;
  }

  @Override
  public ServerOptions options() {
    return first().options();
  }

  @Override
  public OptionalLong pid() {
    return first().pid();
  }

  @Override
  public Optional<Path> unixSocket() {
    return first().unixSocket();
  }

  @Override
  public void pause() {
    servers.forEach(RedisServer::pause);
  }

  @Override
  public void resume() {
    servers.forEach(RedisServer::resume);
  }

  @Override
  public void kill() {
    servers.forEach(RedisServer::kill);
  }

  @Override
  public void restart(Data data) {
    onEach(
        server -> {
          server.restart(data);
          return admitted(server);
        });
  }

  @Override
  public RespConnection connect(Duration timeout) {
    return first().connect(timeout);
  }

  /** The first one's reply. */
  @Override
  public Optional<Object> call(String... words) {
    String begin = String.join(" ", words).toUpperCase(Locale.ROOT);
    boolean forgets = begin.startsWith("FLUSH") || begin.equals("REPLICAOF NO ONE");
    return onEach(
            server -> {
              Optional<Object> reply = server.call(words);
              if (forgets) {
                admit.accept(server);
              }
              return reply;
            })
        .get(0);
  }

  @Override
  public void replicaOf(RedisServer primary) {
    List<RedisServer> primaries = ((ServerGroup) primary).servers;
    for (int i = 0; i < servers.size(); i++) {
      servers.get(i).replicaOf(primaries.get(i));
    }
  }

  @Override
  public String version() {
    return servers.size() + " x " + first().version();
  }

  @Override
  public String log() {
    return servers.stream().map(RedisServer::log).collect(Collectors.joining("\n"));
  }

  @Override
  public void close() {
    servers.forEach(RedisServer::close);
  }
}
