package dev.leasehold.redis.set;

import dev.leasehold.lock.LockKind;
import dev.leasehold.redis.common.NativeCommand;
import dev.leasehold.redis.common.RedisErrors;
import dev.leasehold.redis.common.ScriptCall;
import dev.leasehold.redis.common.ScriptRequest;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A script sent by its digest; if the server does not have it, once by its text, which also caches
 * it there. If the script has a {@link NativeCommand shortcut}, that is sent first, and the script
 * only if that did not do all.
 */
final class LettuceScriptCall<R> extends PendingCommand<R> {
  private final ScriptCall<R> call;
  private boolean sentText;

  /** Sent before the script, and not answered yet. */
  private @Nullable NativeCommand shortcut;

  LettuceScriptCall(Sender to, ScriptCall<R> call) {
    super(to, call.operation(), call.name(), type(call), args(call.script()));
    this.call = call;
    this.shortcut = call.script().shortcut();
  }

  private static ProtocolKeyword type(ScriptCall<?> call) {
    NativeCommand first = call.script().shortcut();
    return first == null ? CommandType.EVALSHA : new NativeKeyword(first.name());
  }

  private static CommandArgs<byte[], byte[]> args(ScriptRequest request) {
    NativeCommand first = request.shortcut();
    if (first == null) {
      return args(request.script().sha(), request);
    }
    List<byte[]> words = first.arguments();
    CommandArgs<byte[], byte[]> args = args().addKey(words.get(0));
    words.subList(1, words.size()).forEach(args::add);
    return args;
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
  boolean sentAnother(Object reply) {
    return shortcut != null && !shortcut.isDone(reply) && sendScript();
  }

  private boolean sendScript() {
    shortcut = null;
    ScriptRequest request = call.script();
    sendInstead(CommandType.EVALSHA, args(request.script().sha(), request));
    return true;
  }

  @Override
  R meaning(Object reply) {
    return call.meaning().apply(reply);
  }

  @Override
  void failed(String serverWords) {
    if (shortcut != null) {
      shortcut.failed(serverWords);
      sendScript();
    } else if (RedisErrors.isNoScript(serverWords) && !sentText) {
      sentText = true;
      ScriptRequest request = call.script();
      sendInstead(CommandType.EVAL, args(request.script().body(), request));
    } else {
      super.failed(serverWords);
    }
  }
}
