package dev.leasehold.admin;

import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.ScriptText;

/** A script with its keys and arguments. The arrays must not be changed. */
@SuppressWarnings("ArrayRecordComponent") // bytes as a client sends them; never compared
record LuaCall(byte[] sha, byte[] body, byte[][] keys, byte[][] arguments) {

  /** Creates a call of one of the stores' scripts. */
  static LuaCall of(ScriptRequest request) {
    return new LuaCall(
        request.script().sha(), request.script().body(), request.keys(), request.arguments());
  }

  /** Creates a call of a script of this module. */
  static LuaCall of(ScriptText script, byte[][] keys, byte[]... arguments) {
    return new LuaCall(script.sha(), script.body(), keys, arguments);
  }
}
