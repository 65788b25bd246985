package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * How a release reaches a store's waiters. The arrays must not be changed.
 *
 * @param command {@code PUBLISH} or {@code SPUBLISH}
 * @param prefix what a channel begins with; it ends with the id of the store that listens
 * @param message what is published
 * @param counts {@link #COUNTS_ALL} or {@link #COUNTS_ONE_NODE}
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as a client sends them; never compared
public record Publishing(byte[] command, byte[] prefix, byte[] message, byte[] counts) {
  private static final byte[] PUBLISH = "PUBLISH".getBytes(UTF_8);
  private static final String STORE_PREFIX = "lh:wake:";
  private static final byte[] STORE_PREFIX_BYTES = STORE_PREFIX.getBytes(UTF_8);

  /** A publish tells how many received it. */
  @SuppressWarnings("MutablePublicArray") // as the record's other bytes
  public static final byte[] COUNTS_ALL = {'1'};

  /** A publish tells only of those at the node it was sent to; others are not known. */
  @SuppressWarnings("MutablePublicArray")
  public static final byte[] COUNTS_ONE_NODE = {'0'};

  /** On one channel for the whole store; the message is the lock's name. */
  public static Publishing toStore(String lockName, byte[] counts) {
    return new Publishing(PUBLISH, STORE_PREFIX_BYTES, lockName.getBytes(UTF_8), counts);
  }

  /** The one channel of a store. */
  public static byte[] channelOf(String storeId) {
    return (STORE_PREFIX + storeId).getBytes(UTF_8);
  }
}
