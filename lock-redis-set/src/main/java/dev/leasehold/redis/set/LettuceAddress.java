package dev.leasehold.redis.set;

import dev.leasehold.lock.LockSettings;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.Objects;

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
   * @throws dev.leasehold.lock.LockConfigurationException if they are wrong, or Lettuce is too old
   */
  public static LettuceAddress of(LockSettings settings) {
    Clients.checkVersion();
    Endpoint endpoint = Endpoint.of(settings);
    return new LettuceAddress(endpoint.uris(), endpoint.options());
  }

  /** The address or addresses for messages, without credentials and options. */
  @Override
  public String toString() {
    return Endpoint.destination(uris).address();
  }
}
