package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.redis.common.Destination;
import dev.leasehold.redis.setnx.JedisConnections.Limits;
import org.apache.commons.pool2.PooledObjectFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisException;

/** One server. */
final class JedisServer extends JedisRedis {
  private final JedisConnections node;
  private final @Nullable Destination destination;

  /** With connections made as those of an application's client. */
  JedisServer(PooledObjectFactory<Connection> factory, Limits limits) {
    this(factory, null, limits);
  }

  /** With a factory's connections; the destination is for errors. */
  JedisServer(
      PooledObjectFactory<Connection> factory, @Nullable Destination destination, Limits limits) {
    super(limits);
    String address = destination == null ? "" : destination.toString();
    this.node = new JedisConnections(address, factory, background, limits);
    this.destination = destination;
  }

  @Override
  LockStoreException unconnected(JedisException failure) {
    return destination == null
        ? super.unconnected(failure)
        : JedisClients.FAILURES.connecting(failure, destination);
  }

  @Override
  JedisConnections node() {
    return node;
  }

  @Override
  void closeConnections() {
    node.close();
  }

  @Override
  public String toString() {
    return destination == null ? "the server of the supplied client" : destination.toString();
  }
}
