package dev.leasehold.admin;

import dev.leasehold.redis.common.KeySpace;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Keys that consist of the lock's name, after an optional tenant prefix. */
final class BareKeys {
  private BareKeys() {}

  /** Returns a key as text; empty if it is not UTF-8, so that it can't be a lock's. */
  static Optional<String> text(byte[] key) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /** Returns the name that a key stands for; empty if no lock can have this key. */
  static Optional<String> name(KeySpace space, byte[] key) {
    return text(key)
        .filter(text -> text.startsWith(space.prefix()))
        .map(text -> text.substring(space.prefix().length()))
        .filter(name -> !name.isEmpty() && !name.equals("lh:node"));
  }
}
