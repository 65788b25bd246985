package dev.leasehold.spring.boot;

import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.NamedNode;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;

/** The addresses of connection factories for messages, without credentials. */
final class FactoryAddresses {
  private FactoryAddresses() {}

  static String of(
      @Nullable RedisClusterConfiguration cluster,
      @Nullable RedisSentinelConfiguration sentinel,
      String host,
      int port) {
    if (cluster != null) {
      return "the cluster of " + nodes(cluster.getClusterNodes());
    }
    if (sentinel != null) {
      NamedNode primary = sentinel.getMaster();
      return "the primary "
          + (primary == null ? "" : primary.getName() + " ")
          + "of the Sentinels "
          + nodes(sentinel.getSentinels());
    }
    return host + ":" + port;
  }

  private static String nodes(Set<RedisNode> nodes) {
    return nodes.stream().map(RedisNode::asString).sorted().collect(Collectors.joining(", "));
  }
}
