package dev.leasehold.redis.setnx;

import java.time.Duration;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ConnectionProvider;

/** An application's client, made in the one way that all versions of Jedis have. */
final class AnyJedis {
  private AnyJedis() {}

  @SuppressWarnings("deprecation") // not in the older ones
  static UnifiedJedis on(ConnectionProvider provider) {
    return new UnifiedJedis(provider, 1, Duration.ofSeconds(1));
  }
}
