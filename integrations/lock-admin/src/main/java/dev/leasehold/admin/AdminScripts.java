package dev.leasehold.admin;

import dev.leasehold.redis.common.ScriptText;

/** This module's scripts, loaded from resources next to this class. */
final class AdminScripts {
  private AdminScripts() {}

  static ScriptText of(String name) {
    return ScriptText.of(read(name));
  }

  static byte[] read(String name) {
    return ScriptText.read(name, file -> AdminScripts.class.getResourceAsStream(file));
  }
}
