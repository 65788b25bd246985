package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.spi.LeaseKey;
import java.util.Arrays;

/**
 * How a release reaches a store's waiters. The arrays must not be changed.
 *
 * @param command {@code PUBLISH} or {@code SPUBLISH}
 * @param prefix the channel's prefix; the id of the subscribed store follows
 * @param message what is published
 * @param counts {@link #COUNTS_ALL} or {@link #COUNTS_ONE_NODE}
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as a client sends them; never compared
public record Publishing(byte[] command, byte[] prefix, byte[] message, byte[] counts) {
  private static final byte[] PUBLISH = "PUBLISH".getBytes(UTF_8);
  private static final String STORE_PREFIX = "lh:wake:";
  private static final byte[] STORE_PREFIX_BYTES = STORE_PREFIX.getBytes(UTF_8);

  /** A publish returns the number of all receivers. */
  @SuppressWarnings("MutablePublicArray") // as the record's other bytes
  public static final byte[] COUNTS_ALL = {'1'};

  /** A publish returns the number of receivers at the node it was sent to; others are unknown. */
  @SuppressWarnings("MutablePublicArray")
  public static final byte[] COUNTS_ONE_NODE = {'0'};

  /** To the store's one channel; the message is the lock's name. */
  public static Publishing toStore(String lockName, byte[] counts) {
    return new Publishing(PUBLISH, STORE_PREFIX_BYTES, lockName.getBytes(UTF_8), counts);
  }

  /**
   * What is published on a store's one channel to recall a lease: the lock's name and the token.
   */
  public static String recall(LeaseKey lease) {
    return lease.name() + ' ' + lease.token();
  }

  /**
   * What is published instead of the message to recall the lease with this token: the token, behind
   * the message and a blank if there is a message. The script of an acquisition does the same.
   */
  public byte[] recall(String token) {
    byte[] bytes = token.getBytes(UTF_8);
    if (message.length == 0) {
      return bytes;
    }
    byte[] both = Arrays.copyOf(message, message.length + 1 + bytes.length);
    both[message.length] = ' ';
    System.arraycopy(bytes, 0, both, message.length + 1, bytes.length);
    return both;
  }

  /** A store's one channel. */
  public static byte[] channelOf(String storeId) {
    return (STORE_PREFIX + storeId).getBytes(UTF_8);
  }
}
