package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;

/** A server's own compare-and-delete; where there is one, there is {@code SET … IFEQ} too. */
enum CompareAndDelete {
  /** None: a script does it. */
  NONE("") {
    @Override
    CommandArgs<byte[], byte[]> deleteIf(byte[] key, byte[] token) {
      throw new UnsupportedOperationException("this server has none");
    }
  },

  /** Redis 8.4. Without {@code IFEQ} it deletes whatever is there: never sent so. */
  DELEX("DELEX") {
    @Override
    CommandArgs<byte[], byte[]> deleteIf(byte[] key, byte[] token) {
      return Call.args().addKey(key).add(IFEQ).add(token);
    }
  },

  /** Valkey 9. */
  DELIFEQ("DELIFEQ") {
    @Override
    CommandArgs<byte[], byte[]> deleteIf(byte[] key, byte[] token) {
      return Call.args().addKey(key).add(token);
    }
  };

  static final byte[] IFEQ = "IFEQ".getBytes(US_ASCII);
  private final Word word;

  CompareAndDelete(String name) {
    word = new Word(name);
  }

  ProtocolKeyword command() {
    return word;
  }

  /** Arguments that delete the key if its value is the token. */
  abstract CommandArgs<byte[], byte[]> deleteIf(byte[] key, byte[] token);

  /** A command that Lettuce has no name for. */
  private record Word(String text) implements ProtocolKeyword {
    @Override
    public byte[] getBytes() {
      return text.getBytes(US_ASCII);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
