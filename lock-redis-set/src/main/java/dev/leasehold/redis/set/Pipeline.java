package dev.leasehold.redis.set;

import static dev.leasehold.redis.common.Arguments.ascii;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.redis.common.CompareAndDelete;
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
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Commands about one lock in one write, whose replies are read together. Other clients' commands
 * may come between them: they are no transaction.
 */
final class Pipeline<R> extends PendingCommand<R> {
  private final List<Step> first;
  private final Function<List<@Nullable Object>, R> meaning;
  private final byte @Nullable [] node;
  private volatile List<AsyncCommand<byte[], byte[], Object>> sentLeaders = List.of();

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
      return new Step(new NativeKeyword(how.name()), how.arguments(key, ascii(value)));
    }

    private boolean hasKey() {
      return !words.isEmpty();
    }

    private CommandArgs<byte[], byte[]> args() {
      CommandArgs<byte[], byte[]> args = PendingCommand.args();
      if (hasKey()) {
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
    this(to, operation, lockName, null, steps, meaning);
  }

  /**
   * The same.
   *
   * @param node a key, whose node they are sent to; null if the last command has one
   */
  Pipeline(
      Sender to,
      String operation,
      String lockName,
      byte @Nullable [] node,
      List<Step> steps,
      Function<List<@Nullable Object>, R> meaning) {
    super(to, operation, lockName, last(steps).type(), last(steps).args());
    this.first = steps.subList(0, steps.size() - 1);
    this.meaning = meaning;
    this.node = node;
  }

  /** A reply of bytes as text; null for any other. */
  static @Nullable String text(@Nullable Object reply) {
    return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : null;
  }

  @Override
  byte[] routingKey() {
    return node == null ? super.routingKey() : node;
  }

  private static Step last(List<Step> steps) {
    return steps.get(steps.size() - 1);
  }

  @Override
  List<? extends RedisCommand<byte[], byte[], ?>> leaders() {
    List<AsyncCommand<byte[], byte[], Object>> made = new ArrayList<>();
    first.forEach(step -> made.add(step.command()));
    sentLeaders = made;
    return made;
  }

  /**
   * That of the first command which failed. While a slot moves, some of a lock's keys may be on one
   * node and some on another: then the commands can't be sent to one of them, as a script can't.
   */
  @Override
  @Nullable String errorWords() {
    List<@Nullable String> all = new ArrayList<>();
    for (int i = 0; i < sentLeaders.size(); i++) {
      CommandOutput<byte[], byte[], Object> output = sentLeaders.get(i).getOutput();
      if (output.hasError() || first.get(i).hasKey()) {
        all.add(output.hasError() ? output.getError() : null);
      }
    }
    all.add(super.errorWords());
    boolean redirected = all.stream().anyMatch(Pipeline::isRedirection);
    if (redirected && all.contains(null)) {
      return "TRYAGAIN";
    }
    return all.stream().filter(Objects::nonNull).findFirst().orElse(null);
  }

  private static boolean isRedirection(@Nullable String words) {
    return words != null && (words.startsWith("ASK ") || words.startsWith("MOVED "));
  }

  /** The replies arrive in order, so the others are there. */
  @Override
  R meaning(@Nullable Object last) {
    List<@Nullable Object> replies = new ArrayList<>();
    sentLeaders.forEach(leader -> replies.add(leader.getOutput().get()));
    replies.add(last);
    return meaning.apply(replies);
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    withdrawLeaders();
    return super.completeExceptionally(failure);
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    withdrawLeaders();
    return super.cancel(mayInterruptIfRunning);
  }

  /** Before Lettuce 6.8, those that are not done are sent again after a reconnect. */
  private void withdrawLeaders() {
    sentLeaders.forEach(AsyncCommand::cancel);
  }
}
