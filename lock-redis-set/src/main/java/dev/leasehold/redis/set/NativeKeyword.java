package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.protocol.ProtocolKeyword;

/** A command that Lettuce has no constant for. */
record NativeKeyword(String word) implements ProtocolKeyword {
  @Override
  public byte[] getBytes() {
    return word.getBytes(US_ASCII);
  }

  @Override
  public String toString() {
    return word;
  }
}
