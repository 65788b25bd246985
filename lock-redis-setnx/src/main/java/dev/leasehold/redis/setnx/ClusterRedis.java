package dev.leasehold.redis.setnx;

import dev.leasehold.redis.common.Publishing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * A Redis Cluster. Conversations go to the node that has the key's slot, not through Jedis' own
 * routing, which repeats commands. Messages reach every node, so one subscription hears all.
 */
final class ClusterRedis extends Redis {
  private final RedisClusterClient client;
  private final Runnable onClose;

  /**
   * On a client.
   *
   * @param onClose closes it if it is ours
   */
  ClusterRedis(RedisClusterClient client, Runnable onClose) {
    this.client = client;
    this.onClose = onClose;
  }

  @Override
  Connection borrow(byte[] key) {
    try {
      return client.getConnectionFromSlot(JedisClusterCRC16.getSlot(key));
    } catch (JedisConnectionException gone) {
      learnWhereIs(key); // its node has failed, and a replica may have the slot by now
      throw gone;
    }
  }

  @Override
  Connection borrowAt(HostAndPort node) {
    ConnectionPool pool = client.getClusterNodes().get(node.toString());
    if (pool == null) {
      throw new JedisConnectionException("not connected to the cluster's node " + node);
    }
    return pool.getResource();
  }

  /** A command that changes nothing: Jedis follows it, and learns from it. */
  @Override
  void learnWhereIs(byte[] key) {
    try {
      client.exists(key);
    } catch (JedisException e) {
      // Then nobody knows; who asks next finds out.
    }
  }

  @Override
  Connection borrowForMessages() {
    List<ConnectionPool> nodes = new ArrayList<>(client.getClusterNodes().values());
    Collections.shuffle(nodes);
    JedisException last = new JedisConnectionException("the cluster has no nodes");
    for (ConnectionPool node : nodes) {
      try {
        return node.getResource();
      } catch (JedisException e) {
        last = e;
      }
    }
    throw last;
  }

  @Override
  byte[] counts() {
    return Publishing.COUNTS_ONE_NODE;
  }

  @Override
  boolean takesManyKeys() {
    return false;
  }

  /** Of those that answer: slots of others can't be locked in either. */
  @Override
  List<String> memories() {
    List<String> infos = new ArrayList<>();
    JedisException last = new JedisConnectionException("the cluster has no nodes");
    for (ConnectionPool node : client.getClusterNodes().values()) {
      try (Connection connection = node.getResource()) {
        infos.add(info(connection, "memory"));
      } catch (JedisConnectionException e) {
        last = e;
      }
    }
    if (infos.isEmpty()) {
      throw last;
    }
    return infos;
  }

  @Override
  void dropIdle() {
    client.getClusterNodes().values().forEach(ConnectionPool::clear);
  }

  @Override
  public void close() {
    onClose.run();
  }

  @Override
  public String toString() {
    return "cluster " + client.getClusterNodes().keySet();
  }
}
