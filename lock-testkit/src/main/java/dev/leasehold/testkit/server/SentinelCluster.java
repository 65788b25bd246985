package dev.leasehold.testkit.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A primary with replicas, monitored by Sentinels with short time-outs: a failover takes a few
 * seconds. The Sentinels know each other from the start. Not thread-safe.
 */
public final class SentinelCluster implements AutoCloseable {
  private static final String NAME = "leasehold";
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final int ID_BYTES = 20;

  /**
   * Longer than a busy machine delays a server. With 500 ms the Sentinels replaced a healthy
   * primary, and the writes that its replicas did not have yet were lost.
   */
  private static final Duration DOWN_AFTER = Duration.ofSeconds(2);

  private final Group group;
  private final List<RedisServer> servers = new ArrayList<>();
  private final List<RedisServer> sentinels = new ArrayList<>();

  private SentinelCluster(Group group, int replicas, int sentinels, ServerOptions options) {
    this.group = group;
    RedisServer primary = group.start(Group.following(options));
    servers.add(primary);
    for (int i = 0; i < replicas; i++) {
      servers.add(group.startReplica(primary, options));
    }
    startSentinels(primary, sentinels);
    Poll.until("the Sentinels see all", LONGEST, () -> seeAll(replicas));
  }

  /**
   * Starts a primary with one replica and three Sentinels, of the kind given by {@code
   * leasehold.server}.
   */
  public static SentinelCluster start() {
    return start(RedisServers.kind(), 1, 3, ServerOptions.defaults());
  }

  /**
   * Starts servers and Sentinels, and waits until each Sentinel knows all of them.
   *
   * @param replicas number of replicas
   * @param sentinels number of Sentinels; a majority of them decides
   * @param options of the primary and the replicas; Sentinels use plain text and no password
   * @throws UnsupportedOperationException if servers of this kind are not processes, or for TLS
   */
  public static SentinelCluster start(
      String kind, int replicas, int sentinels, ServerOptions options) {
    if (options.tls().isPresent()) {
      throw new UnsupportedOperationException("Sentinels here watch servers without TLS only");
    }
    return Group.form(kind, group -> new SentinelCluster(group, replicas, sentinels, options));
  }

  private void startSentinels(RedisServer primary, int count) {
    List<Integer> ports = IntStream.range(0, count).mapToObj(i -> Ports.free()).toList();
    List<String> ids = IntStream.range(0, count).mapToObj(i -> id()).toList();
    for (int i = 0; i < count; i++) {
      ServerOptions options =
          ServerOptions.defaults()
              .withRole(ServerRole.SENTINEL)
              .withPort(ports.get(i))
              .withLine("sentinel myid " + ids.get(i))
              .withLine(
                  "sentinel monitor %s %s %d %d"
                      .formatted(NAME, primary.host(), primary.port(), count / 2 + 1))
              .withLine("sentinel down-after-milliseconds " + NAME + " " + DOWN_AFTER.toMillis())
              .withLine("sentinel failover-timeout " + NAME + " 3000");
      if (primary.options().password().isPresent()) {
        options =
            options.withLine(
                "sentinel auth-pass " + NAME + " " + primary.options().password().get());
      }
      // Discovering each other would take them several seconds.
      for (int other = 0; other < count; other++) {
        if (other != i) {
          options =
              options.withLine(
                  "sentinel known-sentinel %s 127.0.0.1 %d %s"
                      .formatted(NAME, ports.get(other), ids.get(other)));
        }
      }
      sentinels.add(group.start(options));
    }
  }

  private static String id() {
    byte[] bytes = new byte[ID_BYTES];
    ThreadLocalRandom.current().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private boolean seeAll(int replicas) {
    return sentinels.stream()
        .allMatch(
            sentinel -> {
              try (RespConnection connection = sentinel.connect()) {
                List<?> state = connection.list("SENTINEL", "MASTER", NAME);
                return value(state, "flags").equals("master")
                    && value(state, "num-slaves").equals(Integer.toString(replicas))
                    && value(state, "num-other-sentinels")
                        .equals(Integer.toString(sentinels.size() - 1))
                    && othersUp(connection);
              }
            });
  }

  private static boolean othersUp(RespConnection connection) {
    return Stream.of("SENTINELS", "REPLICAS")
        .flatMap(which -> connection.list("SENTINEL", which, NAME).stream())
        .allMatch(
            state ->
                state instanceof List<?> list
                    && List.of("sentinel", "slave").contains(value(list, "flags"))
                    && value(list, "master-link-status", "ok").equals("ok"));
  }

  private static String value(List<?> pairs, String key) {
    return value(pairs, key, "");
  }

  private static String value(List<?> pairs, String key, String otherwise) {
    int at = pairs.indexOf(key);
    return at < 0 ? otherwise : String.valueOf(pairs.get(at + 1));
  }

  /** The name that clients use to look up the primary: {@code leasehold}. */
  public String name() {
    return NAME;
  }

  /** The Sentinels. */
  public List<RedisServer> sentinels() {
    return List.copyOf(sentinels);
  }

  /** All servers, regardless of their current role, including dead ones. */
  public List<RedisServer> servers() {
    return List.copyOf(servers);
  }

  /** The primary according to most Sentinels. */
  public RedisServer primary() {
    return servers.stream()
        .filter(server -> 2 * votes(server) > sentinels.size())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("The Sentinels do not agree at the moment"));
  }

  /**
   * The epoch of the last failover that a Sentinel knows of. If it changes without a requested
   * failover, the Sentinels took a busy primary for a dead one.
   */
  public long epoch() {
    return sentinels.stream()
        .filter(sentinel -> sentinel.pid().isPresent())
        .map(sentinel -> (List<?>) sentinel.call("SENTINEL", "MASTER", NAME).orElseThrow())
        .mapToLong(state -> Long.parseLong(value(state, "config-epoch")))
        .max()
        .orElseThrow();
  }

  /** All servers except the primary. */
  public List<RedisServer> replicas() {
    RedisServer primary = primary();
    return servers.stream().filter(server -> server != primary).toList();
  }

  private long votes(RedisServer server) {
    List<String> address = List.of(server.host(), Integer.toString(server.port()));
    return sentinels.stream()
        .filter(sentinel -> sentinel.pid().isPresent())
        .map(sentinel -> sentinel.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME))
        .filter(answer -> answer.equals(Optional.of(address)))
        .count();
  }

  /**
   * Kills the primary, and waits until the Sentinels have promoted a replica. The killed server can
   * be {@link RedisServer#restart restarted}; it becomes a replica about ten seconds later.
   *
   * @return the new primary
   */
  public RedisServer failOver() {
    RedisServer old = primary();
    old.kill();
    return awaitOtherThan(old);
  }

  /**
   * Makes the Sentinels promote a replica although the primary is healthy, and waits for it.
   *
   * @return the new primary
   */
  public RedisServer switchOver() {
    RedisServer old = primary();
    sentinels.get(0).call("SENTINEL", "FAILOVER", NAME);
    return awaitOtherThan(old);
  }

  private RedisServer awaitOtherThan(RedisServer old) {
    Poll.until("another primary than " + old, LONGEST, () -> primary() != old && takesWrites());
    return primary();
  }

  private boolean takesWrites() {
    try (RespConnection connection = primary().connect()) {
      return connection.list("ROLE").get(0).equals("master");
    }
  }

  /** Closes all servers and Sentinels. */
  @Override
  public void close() {
    group.close();
  }
}
