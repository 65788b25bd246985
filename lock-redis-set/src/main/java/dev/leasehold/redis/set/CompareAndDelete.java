package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;

/** A server's native compare-and-delete; a server that has one has {@code SET … IFEQ}, too. */
enum CompareAndDelete {
  /** None: a script is used. */
  NONE("") {
    @Override
    CommandArgs<byte[], byte[]> deleteIf(byte[] key, byte[] token) {
      throw new UnsupportedOperationException("this server has none");
    }
  },

  /** Redis 8.4. Without {@code IFEQ} it deletes any value, so it is never sent without. */
  DELEX("DELEX") {
    @Override
    CommandArgs<byte[], byte[]> deleteIf(byte[] key, byte[] token) {
      return PendingCommand.args().addKey(key).add(IFEQ).add(token);
    }
  },

  /** Valkey 9. */
  DELIFEQ("DELIFEQ") {
    @Override
    CommandArgs<byte[], byte[]> deleteIf(byte[] key, byte[] token) {
      return PendingCommand.args().addKey(key).add(token);
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

  /** Arguments for deleting the key if its value is the token. */
  abstract CommandArgs<byte[], byte[]> deleteIf(byte[] key, byte[] token);

  /** A command that Lettuce has no constant for. */
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
