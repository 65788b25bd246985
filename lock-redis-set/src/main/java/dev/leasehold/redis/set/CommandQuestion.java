package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;

/** Asks which commands the server of a key has. */
final class CommandQuestion extends PendingCommand<List<Object>, List<?>> {
  private final byte[] key;

  CommandQuestion(Sender to, String lockName, byte[] key, List<String> commands) {
    super(
        to,
        "ask the server of",
        lockName,
        CommandType.COMMAND,
        new NestedMultiOutput<>(ByteArrayCodec.INSTANCE),
        args(commands));
    this.key = key;
  }

  private static CommandArgs<byte[], byte[]> args(List<String> commands) {
    CommandArgs<byte[], byte[]> args = args().add("INFO");
    commands.forEach(command -> args.add(command.getBytes(US_ASCII)));
    return args;
  }

  @Override
  byte[] routingKey() {
    return key;
  }

  @Override
  List<?> meaning(List<Object> reply) {
    return reply;
  }
}
