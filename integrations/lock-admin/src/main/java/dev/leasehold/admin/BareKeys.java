package dev.leasehold.admin;

import dev.leasehold.redis.common.KeySpace;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Keys that are names, with a tenant's prefix. */
final class BareKeys {
  private BareKeys() {}

  /** A key as text; empty if it is not UTF-8, and so no lock's. */
  static Optional<String> text(byte[] key) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /** The name that is this key; empty if it is a key that no lock has. */
  static Optional<String> name(KeySpace space, byte[] key) {
    return text(key)
        .filter(text -> text.startsWith(space.prefix()))
        .map(text -> text.substring(space.prefix().length()))
        .filter(name -> !name.isEmpty() && !name.equals("lh:node"));
  }
}
