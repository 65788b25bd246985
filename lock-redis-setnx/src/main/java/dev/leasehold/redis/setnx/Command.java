package dev.leasehold.redis.setnx;

import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.commands.ProtocolCommand;

/**
 * A command to be sent.
 *
 * @param name the command
 * @param arguments its arguments; must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as the client sends them; never compared
record Command(ProtocolCommand name, byte[][] arguments) {

  static Command of(ProtocolCommand name, byte[]... arguments) {
    return new Command(name, arguments);
  }

  CommandArguments toJedis() {
    CommandArguments all = new CommandArguments(name);
    for (byte[] argument : arguments) {
      all.add(argument);
    }
    return all;
  }
}
