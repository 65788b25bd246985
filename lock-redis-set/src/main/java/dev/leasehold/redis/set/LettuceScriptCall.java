package dev.leasehold.redis.set;

import dev.leasehold.lock.LockKind;
import dev.leasehold.redis.common.RedisErrors;
import dev.leasehold.redis.common.ScriptRequest;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A script sent by its digest; if the server does not have it, once by its text, which also caches
 * it there.
 */
final class LettuceScriptCall<W, R> extends Call<W, R> {
  private final ScriptRequest request;
  private final Supplier<? extends CommandOutput<byte[], byte[], W>> outputs;
  private final Function<? super W, ? extends R> meaning;
  private boolean sentText;

  LettuceScriptCall(
      Sender to,
      String operation,
      String lockName,
      ScriptRequest request,
      Supplier<? extends CommandOutput<byte[], byte[], W>> outputs,
      Function<? super W, ? extends R> meaning) {
    super(
        to,
        operation,
        lockName,
        CommandType.EVALSHA,
        outputs.get(),
        args(request.script().sha(), request));
    this.request = request;
    this.outputs = outputs;
    this.meaning = meaning;
  }

  private static CommandArgs<byte[], byte[]> args(byte[] script, ScriptRequest request) {
    CommandArgs<byte[], byte[]> args = args().add(script).add(request.keys().length);
    for (byte[] key : request.keys()) {
      args.addKey(key);
    }
    for (byte[] argument : request.arguments()) {
      args.add(argument);
    }
    return args;
  }

  @Override
  LockKind kind() {
    return request.kind();
  }

  @Override
  R meaning(W reply) {
    return meaning.apply(reply);
  }

  @Override
  void failed(String serverWords) {
    if (RedisErrors.isNoScript(serverWords) && !sentText) {
      sentText = true;
      sendInstead(CommandType.EVAL, outputs.get(), args(request.script().body(), request));
    } else {
      super.failed(serverWords);
    }
  }
}
