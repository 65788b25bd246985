package dev.leasehold.admin;

import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.ScriptText;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A script with its keys and arguments. The arrays must not be changed. */
@SuppressWarnings("ArrayRecordComponent") // bytes as a client sends them; never compared
record LuaCall(byte[] sha, byte[] body, byte[][] keys, byte[][] arguments) {

  /** Returns one of this module's scripts, loaded from a resource next to this class. */
  static ScriptText script(String name) {
    return ScriptText.of(text(name));
  }

  static byte[] text(String name) {
    return ScriptText.read(name, file -> LuaCall.class.getResourceAsStream(file));
  }

  /** Creates a call of one of the stores' scripts. */
  static LuaCall of(ScriptRequest request) {
    return new LuaCall(
        request.script().sha(), request.script().body(), request.keys(), request.arguments());
  }

  /** Creates a call of a script of this module. */
  static LuaCall of(ScriptText script, byte[][] keys, byte[]... arguments) {
    return new LuaCall(script.sha(), script.body(), keys, arguments);
  }

  /** Returns the command that runs it by its digest. */
  AsyncCommand<byte[], byte[], Object> byDigest() {
    return command(CommandType.EVALSHA, sha);
  }

  /** Returns the command that runs it by its text, which the server then knows. */
  AsyncCommand<byte[], byte[], Object> byText() {
    return command(CommandType.EVAL, body);
  }

  private AsyncCommand<byte[], byte[], Object> command(CommandType type, byte[] script) {
    CommandArgs<byte[], byte[]> args =
        new CommandArgs<>(ByteArrayCodec.INSTANCE).add(script).add(keys.length);
    for (byte[] key : keys) {
      args.addKey(key);
    }
    for (byte[] argument : arguments) {
      args.add(argument);
    }
    return new AsyncCommand<>(new Command<>(type, new Reply(), args));
  }

  /** A script's reply: a number, bytes, nothing, or lists of these, nested to any depth. */
  private static final class Reply extends CommandOutput<byte[], byte[], Object> {
    private final Deque<List<@Nullable Object>> open = new ArrayDeque<>();

    Reply() {
      super(ByteArrayCodec.INSTANCE, null);
    }

    @Override
    public void set(long number) {
      add(number);
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
      add(bytes == null ? null : codec.decodeValue(bytes));
    }

    @Override
    public void multi(int count) {
      List<@Nullable Object> inner = new ArrayList<>();
      add(count < 0 ? null : inner);
      if (count >= 0) {
        open.push(inner);
      }
    }

    private void add(@Nullable Object element) {
      if (open.isEmpty()) {
        output = element;
      } else {
        open.peek().add(element);
      }
    }

    /** A reply at this depth is complete: the list around it is the innermost one again. */
    @Override
    public void complete(int depth) {
      while (open.size() > Math.max(1, depth)) {
        open.pop();
      }
    }
  }
}
