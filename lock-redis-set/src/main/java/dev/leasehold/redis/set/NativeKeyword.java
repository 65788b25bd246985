package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.redis.common.CompareAndDelete;
import io.lettuce.core.protocol.ProtocolKeyword;

/** A command that Lettuce has no constant for. */
record NativeKeyword(CompareAndDelete command) implements ProtocolKeyword {
  @Override
  public byte[] getBytes() {
    return command.name().getBytes(US_ASCII);
  }

  @Override
  public String toString() {
    return command.name();
  }
}
