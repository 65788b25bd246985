package dev.leasehold.redis.set;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.redis.common.Destination;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.RedisEndpoint;
import dev.leasehold.redis.common.RedisEndpoint.Host;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.redis.common.RedisSettings.Encryption;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.StaticCredentialsProvider;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The servers of {@code lock.redis.uri} in Lettuce's types, with login, TLS and database from the
 * settings beside it: for tools that look at the keys of locks through a client of their own.
 * Immutable.
 *
 * @param uris the seeds of a cluster, otherwise a single one
 * @param options for the client: as locks have them, so a command fails at once while its
 *     connection is broken, and Lettuce applies no time-out to it
 */
public record LettuceAddress(List<RedisURI> uris, ClientOptions options) {

  /** Copies the list. */
  public LettuceAddress {
    uris = List.copyOf(uris);
    Objects.requireNonNull(options, "options");
  }

  /**
   * Reads the settings below {@code lock.redis.}.
   *
   * @throws LockConfigurationException if they are wrong, or Lettuce is too old
   */
  public static LettuceAddress of(LockSettings settings) {
    Clients.checkVersion();
    RedisEndpoint endpoint = RedisEndpoint.of(settings);
    List<RedisURI> uris =
        builders(endpoint).stream().map(each -> uri(each, endpoint, settings)).toList();
    Duration connectTimeout = settings.get(RedisSettings.CONNECT_TIMEOUT);
    return new LettuceAddress(uris, Clients.options(connectTimeout, ssl(settings)));
  }

  /** Connects to a cluster. Blocks. */
  LettuceRedis connectToCluster() {
    return LettuceCluster.own(uris, options);
  }

  /** Connects to one server, or to the primary that Sentinels name. Blocks. */
  LettuceRedis connectToServer() {
    return LettuceServer.own(uris.get(0), options);
  }

  /** Connects to one server as a node of a quorum. Blocks. */
  NodeRedis connectToNode(NodeVoter voter) {
    return NodeRedis.own(uris.get(0), options, voter);
  }

  private static List<RedisURI.Builder> builders(RedisEndpoint endpoint) {
    if (endpoint.socket().isPresent()) {
      return List.of(RedisURI.Builder.socket(endpoint.socket().get()));
    }
    if (endpoint.primary().isPresent()) {
      RedisURI.Builder sentinels =
          RedisURI.builder().withSentinelMasterId(endpoint.primary().get());
      endpoint.hosts().forEach(host -> sentinels.withSentinel(host.name(), host.port()));
      return List.of(sentinels);
    }
    return endpoint.hosts().stream().map(LettuceAddress::server).toList();
  }

  private static RedisURI.Builder server(Host host) {
    return RedisURI.builder().withHost(host.name()).withPort(host.port());
  }

  private static RedisURI uri(
      RedisURI.Builder builder, RedisEndpoint endpoint, LockSettings settings) {
    RedisURI uri =
        builder
            .withSsl(endpoint.encryption() == Encryption.TLS)
            .withDatabase(endpoint.database())
            .withTimeout(settings.get(RedisSettings.CONNECT_TIMEOUT))
            .build();
    endpoint
        .login()
        .ifPresent(
            login ->
                uri.setCredentialsProvider(
                    new StaticCredentialsProvider(
                        login.user().orElse(null), login.password().toCharArray())));
    RedisSettings.clientName(settings).ifPresent(uri::setClientName);
    if (settings.text(RedisSettings.TLS_VERIFY.key()).isPresent()) {
      String verify = settings.get(RedisSettings.TLS_VERIFY).toUpperCase(Locale.ROOT);
      uri.setVerifyPeer(SslVerifyMode.valueOf(verify));
    }
    return uri;
  }

  /** A URI's address for messages, without credentials and options. */
  static String address(RedisURI uri) {
    if (!uri.getSentinels().isEmpty()) {
      String all =
          uri.getSentinels().stream()
              .map(LettuceAddress::address)
              .collect(Collectors.joining(", "));
      return uri.getSentinelMasterId() + " (Sentinels " + all + ")";
    }
    return uri.getSocket() == null
        ? new Host(uri.getHost(), uri.getPort()).toString()
        : uri.getSocket();
  }

  /** The destination of one or several URIs. */
  static Destination destination(List<RedisURI> uris) {
    RedisURI first = uris.get(0);
    Encryption encryption = first.isSsl() ? Encryption.TLS : Encryption.NONE;
    return new Destination(addresses(uris), encryption, first.getTimeout());
  }

  private static String addresses(List<RedisURI> uris) {
    return uris.size() == 1
        ? address(uris.get(0))
        : uris.stream().map(LettuceAddress::address).toList().toString();
  }

  /** Trusted certificates, and the client's own. */
  private static SslOptions ssl(LockSettings settings) {
    SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider();
    RedisSettings.file(settings, RedisSettings.TLS_TRUST).ifPresent(ssl::trustManager);
    Optional<File> key = RedisSettings.file(settings, RedisSettings.TLS_KEY);
    RedisSettings.file(settings, RedisSettings.TLS_CERTIFICATE)
        .ifPresent(file -> ssl.keyManager(file, key.orElseThrow(), new char[0]));
    return ssl.build();
  }

  /** The address or addresses for messages, without credentials and options. */
  @Override
  public String toString() {
    return destination(uris).address();
  }
}
