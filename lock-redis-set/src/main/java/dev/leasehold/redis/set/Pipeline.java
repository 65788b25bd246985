package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.redis.common.CompareAndDelete;
import dev.leasehold.redis.common.RedisErrors;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Commands about one lock in one write, whose replies are read together. Other clients' commands
 * may come between them: they are no transaction.
 */
final class Pipeline<R> extends PendingCommand<Object, R> {
  private final List<Step> first;
  private final Function<List<@Nullable Object>, R> meaning;
  private volatile List<AsyncCommand<byte[], byte[], Object>> sent = List.of();

  /**
   * One of the commands.
   *
   * @param words the key, if it has one, and the other arguments
   */
  record Step(ProtocolKeyword type, List<byte[]> words) {
    static Step of(CommandType type, byte[]... words) {
      return new Step(type, List.of(words));
    }

    /** {@code SET} with these words after key and value. */
    static Step set(byte[] key, String value, Object... options) {
      List<byte[]> words = new ArrayList<>(List.of(key, ascii(value)));
      Arrays.stream(options).forEach(word -> words.add(ascii(word.toString())));
      return new Step(CommandType.SET, words);
    }

    /** Deletes the key if this is its value. */
    static Step delete(CompareAndDelete how, byte[] key, String value) {
      return new Step(new NativeKeyword(how), how.arguments(key, ascii(value)));
    }

    private static byte[] ascii(String word) {
      return word.getBytes(US_ASCII);
    }

    private CommandArgs<byte[], byte[]> args() {
      CommandArgs<byte[], byte[]> args = PendingCommand.args();
      if (!words.isEmpty()) {
        args.addKey(words.get(0));
        words.subList(1, words.size()).forEach(args::add);
      }
      return args;
    }

    private AsyncCommand<byte[], byte[], Object> command() {
      return new AsyncCommand<>(new Command<>(type, new ReplyOutput(), args()));
    }
  }

  /**
   * Not yet sent.
   *
   * @param steps at least one; the last has a key
   * @param meaning parses the replies, one for each step
   */
  Pipeline(
      Sender to,
      String operation,
      String lockName,
      List<Step> steps,
      Function<List<@Nullable Object>, R> meaning) {
    super(to, operation, lockName, last(steps).type(), new ReplyOutput(), last(steps).args());
    this.first = steps.subList(0, steps.size() - 1);
    this.meaning = meaning;
  }

  /** A reply of bytes as text; null for any other. */
  static @Nullable String text(@Nullable Object reply) {
    return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : null;
  }

  private static Step last(List<Step> steps) {
    return steps.get(steps.size() - 1);
  }

  @Override
  List<? extends RedisCommand<byte[], byte[], ?>> leaders() {
    List<AsyncCommand<byte[], byte[], Object>> made = new ArrayList<>();
    first.forEach(step -> made.add(step.command()));
    sent = made;
    return made;
  }

  /** The replies arrive in order, so the others are there. */
  @Override
  R meaning(@Nullable Object last) {
    List<@Nullable Object> replies = new ArrayList<>();
    for (AsyncCommand<byte[], byte[], Object> step : sent) {
      CommandOutput<byte[], byte[], Object> output = step.getOutput();
      if (output.hasError()) {
        throw RedisErrors.of(output.getError(), operation, kind(), lockName);
      }
      replies.add(output.get());
    }
    replies.add(last);
    return meaning.apply(replies);
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    sent.forEach(AsyncCommand::cancel);
    return super.cancel(mayInterruptIfRunning);
  }
}
