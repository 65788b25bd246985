package dev.leasehold.redis.set;

import dev.leasehold.redis.common.RedisErrors;
import dev.leasehold.redis.common.Script;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A script by its digest; once by its text if the server does not have it, which also puts it there
 * for the next time.
 */
final class ScriptCall<W, R> extends Call<W, R> {
  private final Script script;
  private final byte[][] keys;
  private final byte[][] arguments;
  private final Supplier<? extends CommandOutput<byte[], byte[], W>> outputs;
  private final Function<? super W, ? extends R> meaning;
  private boolean sentText;

  ScriptCall(
      Redis redis,
      String operation,
      String lockName,
      Script script,
      byte[][] keys,
      byte[][] arguments,
      Supplier<? extends CommandOutput<byte[], byte[], W>> outputs,
      Function<? super W, ? extends R> meaning) {
    super(
        redis,
        operation,
        lockName,
        CommandType.EVALSHA,
        outputs.get(),
        args(script.sha(), keys, arguments));
    this.script = script;
    this.keys = keys;
    this.arguments = arguments;
    this.outputs = outputs;
    this.meaning = meaning;
  }

  private static CommandArgs<byte[], byte[]> args(
      byte[] script, byte[][] keys, byte[][] arguments) {
    CommandArgs<byte[], byte[]> args = args().add(script).add(keys.length);
    for (byte[] key : keys) {
      args.addKey(key);
    }
    for (byte[] argument : arguments) {
      args.add(argument);
    }
    return args;
  }

  @Override
  R meaning(W reply) {
    return meaning.apply(reply);
  }

  @Override
  void failed(String serverWords) {
    if (RedisErrors.isNoScript(serverWords) && !sentText) {
      sentText = true;
      sendInstead(CommandType.EVAL, outputs.get(), args(script.body(), keys, arguments));
    } else {
      super.failed(serverWords);
    }
  }
}
