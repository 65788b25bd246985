package dev.leasehold.admin;

import dev.leasehold.redis.common.ScriptText;

/** The scripts of this module, resources beside this class. */
final class AdminScripts {
  private AdminScripts() {}

  static ScriptText of(String name) {
    return ScriptText.of(read(name));
  }

  static byte[] read(String name) {
    return ScriptText.read(name, file -> AdminScripts.class.getResourceAsStream(file));
  }
}
