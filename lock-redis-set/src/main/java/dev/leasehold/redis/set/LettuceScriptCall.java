package dev.leasehold.redis.set;

import dev.leasehold.lock.LockKind;
import dev.leasehold.redis.common.RedisErrors;
import dev.leasehold.redis.common.ScriptCall;
import dev.leasehold.redis.common.ScriptRequest;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A script sent by its digest; if the server does not have it, once by its text, which also caches
 * it there.
 */
final class LettuceScriptCall<R> extends PendingCommand<Object, R> {
  private final ScriptCall<R> call;
  private boolean sentText;

  LettuceScriptCall(Sender to, ScriptCall<R> call) {
    super(
        to,
        call.operation(),
        call.name(),
        CommandType.EVALSHA,
        new ReplyOutput(),
        args(call.script().script().sha(), call.script()));
    this.call = call;
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

  /**
   * Sends it; if replicas are required, it succeeds only when enough of them have what it wrote.
   *
   * @param undo undoes a write that too few replicas have
   */
  LettuceScriptCall<R> send(StoreOptions options, Supplier<? extends CompletionStage<?>> undo) {
    if (call.wrote() != null) {
      acknowledged(options, call.wrote(), undo);
    }
    send();
    return this;
  }

  @Override
  LockKind kind() {
    return call.script().kind();
  }

  @Override
  R meaning(Object reply) {
    return call.meaning().apply(reply);
  }

  @Override
  void failed(String serverWords) {
    if (RedisErrors.isNoScript(serverWords) && !sentText) {
      sentText = true;
      ScriptRequest request = call.script();
      sendInstead(CommandType.EVAL, new ReplyOutput(), args(request.script().body(), request));
    } else {
      super.failed(serverWords);
    }
  }
}
