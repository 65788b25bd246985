package dev.leasehold.redis.setnx;

import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.setnx.Connections.Limits;
import java.util.List;

/** A Redis with one node that has all keys. */
abstract class OneNode extends Redis {

  /** Not yet connected. */
  OneNode(Limits limits) {
    super(limits);
  }

  /** The node that has the keys now. */
  abstract Connections node();

  @Override
  final Connections having(byte[] key) {
    return node();
  }

  @Override
  final Connections forMessages() {
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
