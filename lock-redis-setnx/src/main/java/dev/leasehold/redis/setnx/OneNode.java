package dev.leasehold.redis.setnx;

import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.setnx.JedisConnections.Limits;
import java.util.List;

/** A Redis with one node that has all keys. */
abstract class OneNode extends JedisRedis {

  /** Not yet connected. */
  OneNode(Limits limits) {
    super(limits);
  }

  /** The node that has the keys now. */
  abstract JedisConnections node();

  @Override
  final JedisConnections having(byte[] key) {
    return node();
  }

  @Override
  final JedisConnections forMessages() {
    return node();
  }

  @Override
  final byte[] counts() {
    return Publishing.COUNTS_ALL;
  }

  @Override
  final boolean takesManyKeys() {
    return true;
  }

  @Override
  final List<String> memories() {
    return List.of(memoryOf(node()));
  }
}
