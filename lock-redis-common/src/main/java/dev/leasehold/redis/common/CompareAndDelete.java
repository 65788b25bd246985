package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.List;

/**
 * A server's native compare-and-delete. It costs the server a quarter of a script's time. A server
 * that has one has {@code SET … IFEQ}, too. Thread-safe.
 */
public enum CompareAndDelete {
  /** Redis 8.4. Without {@code IFEQ} it deletes any value, so it is never sent without. */
  DELEX {
    @Override
    public List<byte[]> arguments(byte[] key, byte[] token) {
      return List.of(key, IFEQ, token);
    }
  },

  /** Valkey 9. */
  DELIFEQ {
    @Override
    public List<byte[]> arguments(byte[] key, byte[] token) {
      return List.of(key, token);
    }
  };

  private static final byte[] IFEQ = "IFEQ".getBytes(US_ASCII);

  /** The arguments that delete a key if its value is the token, the key first. */
  public abstract List<byte[]> arguments(byte[] key, byte[] token);
}
