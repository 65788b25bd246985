package dev.leasehold.redis.setnx;

import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.setnx.JedisConnections.Limits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * A Redis Cluster. Jedis knows which node has which slot. Conversations are with that node, not
 * through Jedis' own routing, which repeats commands. Messages reach every node, so one
 * subscription is enough.
 */
final class JedisShards extends JedisRedis {
  private final ClusterConnectionProvider nodes;
  private final Runnable onClose;
  private final ConcurrentHashMap<String, JedisConnections> connections = new ConcurrentHashMap<>();
  private final AtomicBoolean learning = new AtomicBoolean();

  /**
   * On a client's knowledge of its nodes.
   *
   * @param onClose closes the client if the store owns it
   */
  JedisShards(ClusterConnectionProvider nodes, Limits limits, Runnable onClose) {
    super(limits);
    this.nodes = nodes;
    this.onClose = onClose;
  }

  @Override
  JedisConnections having(byte[] key) {
    HostAndPort node = nodes.getNode(JedisClusterCRC16.getSlot(key));
    return node == null ? node() : at(node); // any node redirects to the right one
  }

  @Override
  JedisConnections at(HostAndPort node) {
    return at(node.toString());
  }

  private JedisConnections at(String node) {
    JedisConnections known = connections.get(node);
    if (known != null) {
      return known;
    }
    ConnectionPool pool = nodes.getNodes().get(node);
    if (pool == null) {
      learn();
      throw new JedisConnectionException("not connected to the cluster's node " + node);
    }
    return connections.computeIfAbsent(
        node, key -> new JedisConnections(node, pool.getFactory(), background, limits));
  }

  @Override
  void mayHaveMoved() {
    learn();
  }

  /** Has Jedis reload the slots. In the background, since nodes may answer slowly. */
  private void learn() {
    if (learning.compareAndSet(false, true)) {
      background.execute(
          () -> {
            try {
              nodes.renewSlotCache();
              hangUpOnThoseThatLeft();
            } catch (JedisException e) {
              // The next call that needs it reloads again.
            } finally {
              learning.set(false);
            }
          });
    }
  }

  private void hangUpOnThoseThatLeft() {
    for (String node : connections.keySet()) {
      if (!nodes.getNodes().containsKey(node)) {
        JedisConnections gone = connections.remove(node);
        if (gone != null) {
          gone.close();
        }
      }
    }
  }

  /** A random node of those that Jedis knows; nodes that are down are usually not among them. */
  @Override
  JedisConnections node() {
    List<String> all = new ArrayList<>(nodes.getNodes().keySet());
    if (all.isEmpty()) {
      throw new JedisConnectionException("the cluster has no nodes");
    }
    Collections.shuffle(all);
    return at(all.get(0));
  }

  @Override
  byte[] counts() {
    return Publishing.COUNTS_ONE_NODE;
  }

  @Override
  boolean takesManyKeys() {
    return false;
  }

  @Override
  boolean mayTakeTogether(List<byte[]> keys) {
    return keys.stream().map(JedisClusterCRC16::getSlot).distinct().limit(2).count() == 1;
  }

  /** Of the nodes that answer: slots of the others can't be locked in either. */
  @Override
  List<String> memories() {
    List<String> infos = new ArrayList<>();
    JedisException last = new JedisConnectionException("the cluster has no nodes");
    for (String node : nodes.getNodes().keySet()) {
      try {
        infos.add(memoryOf(at(node)));
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
  void closeConnections() {
    connections.values().forEach(JedisConnections::close);
    onClose.run();
  }

  @Override
  public String toString() {
    return "cluster " + nodes.getNodes().keySet();
  }
}
