package dev.leasehold.redis.set;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.redis.common.RedisErrors;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One command and its stage in one object: Lettuce completes what the engine waits for, so no
 * thread hand-off is needed. Cancelling it withdraws the command: Lettuce neither writes nor
 * resends a command that is done.
 *
 * @param <R> the parsed result
 */
abstract class PendingCommand<R> extends CompletableFuture<R>
    implements RedisCommand<byte[], byte[], Object> {
  private static final int MOST_REDIRECTS = 5;

  final Sender to;
  final String operation;
  final String lockName;
  private volatile Command<byte[], byte[], Object> command;
  private @Nullable Acknowledgement<R> acknowledgement;
  private int redirects;
  private final AtomicReference<OnWire> onWire = new AtomicReference<>(OnWire.NOT_YET);
  private volatile @Nullable AbandonedReplies owed;
  private volatile @Nullable Unanswered keeper;
  private @Nullable Consumer<AbandonedReplies> unanswered;

  /** Its state with regard to the connection. */
  private enum OnWire {
    NOT_YET,
    WRITTEN,
    /** Written and given up; counted by {@link AbandonedReplies}. */
    OWED,
    ANSWERED
  }

  PendingCommand(
      Sender to,
      String operation,
      String lockName,
      ProtocolKeyword type,
      CommandArgs<byte[], byte[]> args) {
    this.to = to;
    this.operation = operation;
    this.lockName = lockName;
    this.command = new Command<>(type, new ReplyOutput(), args);
  }

  static CommandArgs<byte[], byte[]> args() {
    return new CommandArgs<>(ByteArrayCodec.INSTANCE);
  }

  /** Parses a reply; may throw a {@link LockException}. */
  abstract R meaning(Object reply);

  /** The kind of lock. */
  LockKind kind() {
    return LockKind.LOCK;
  }

  /** The description of its failure, for messages. */
  final String what() {
    return RedisErrors.message(operation, kind(), lockName);
  }

  /** The exception for a failure of the call, which names the server that it was sent to last. */
  final LockStoreException failure(Throwable failure) {
    AbandonedReplies by = owed;
    return Clients.FAILURES.of(failure, what(), by == null ? to.address() : by.address());
  }

  /** Sends another command if this reply decides nothing; returns whether it did. */
  boolean sentAnother(Object reply) {
    return false;
  }

  /** The server's error; null if there is none. */
  @Nullable String errorWords() {
    CommandOutput<byte[], byte[], Object> output = command.getOutput();
    return output.hasError() ? output.getError() : null;
  }

  /** The server has replied with an error. Overridden where another command can be used instead. */
  void failed(String serverWords) {
    super.completeExceptionally(RedisErrors.of(serverWords, operation, kind(), lockName));
  }

  /**
   * Sets a callback for a call that ends without an answer; it is passed the call's connection, and
   * runs before the call completes. To be called before it is sent.
   */
  final void ifUnanswered(Consumer<AbandonedReplies> told) {
    unanswered = told;
  }

  /** Sends it. A call is sent once. */
  final PendingCommand<R> send() {
    to.send(this);
    return this;
  }

  /**
   * If replicas are required, it succeeds only when enough of them have the write. To be called
   * before it is sent.
   *
   * @param wrote whether a result means that something was written
   * @param undo undoes a write that too few replicas have
   */
  final void acknowledged(
      StoreOptions options,
      Predicate<? super R> wrote,
      Supplier<? extends CompletionStage<?>> undo) {
    if (options.replicas().atLeast() > 0) {
      acknowledgement = new Acknowledgement<>(options.replicas(), wrote, undo);
    }
  }

  /** The key that determines the node. */
  byte[] routingKey() {
    ByteBuffer key = command.getArgs().getFirstEncodedKey();
    byte[] bytes = new byte[key.remaining()];
    key.get(bytes);
    return bytes;
  }

  /** The commands to be sent before this one in the same write; new ones each time. */
  List<? extends RedisCommand<byte[], byte[], ?>> leaders() {
    return List.of();
  }

  /** The commands to be sent after this one in the same write; new ones each time. */
  final List<RedisCommand<byte[], byte[], ?>> followers(ConnectedReplicas there) {
    return acknowledgement == null ? List.of() : acknowledgement.commands(there);
  }

  /**
   * Prepares it to be sent again to the node that a cluster's node has redirected to; false if it
   * may not be.
   */
  final boolean mayRedirect() {
    command.getOutput().setError((String) null);
    return ++redirects <= MOST_REDIRECTS && !isDone();
  }

  final void sendInstead(ProtocolKeyword type, CommandArgs<byte[], byte[]> args) {
    command = new Command<>(type, new ReplyOutput(), args);
    to.send(this);
  }

  /** It is about to be sent, perhaps again, over a connection with this counter. */
  final void goesOut(AbandonedReplies by) {
    owed = by;
    onWire.set(OnWire.NOT_YET);
  }

  /** Moves it from the set that contained it before into this one, until it is done. */
  final void keptBy(Unanswered calls) {
    Unanswered before = keeper;
    keeper = calls;
    if (before != null && before != calls) {
      before.remove(this);
    }
  }

  /** Lettuce keeps it from now on. A call that was given up before is never written. */
  private void written() {
    if (onWire.compareAndSet(OnWire.NOT_YET, OnWire.WRITTEN) && isDone()) {
      givenUp();
    }
  }

  private void givenUp() {
    AbandonedReplies by = owed;
    if (by != null && onWire.compareAndSet(OnWire.WRITTEN, OnWire.OWED)) {
      by.more();
    }
  }

  /** Lettuce reports this for a call that was given up, too. */
  private void answered() {
    AbandonedReplies by = owed;
    OnWire before = onWire.getAndSet(OnWire.ANSWERED);
    if (by != null) {
      by.heard();
      if (before == OnWire.OWED) {
        by.less();
      }
    }
  }

  @Override
  public void complete() {
    answered();
    String words = errorWords();
    if (words != null) {
      if (!to.redirect(this, words)) {
        failed(words);
      }
      return;
    }
    Object reply = command.getOutput().get();
    try {
      if (sentAnother(reply)) {
        return;
      }
      R result = meaning(reply);
      if (acknowledgement == null) {
        complete(result);
      } else {
        acknowledgement.settle(this, result);
      }
    } catch (RuntimeException e) {
      completeExceptionally(e);
    }
  }

  private void endsUnanswered() {
    Consumer<AbandonedReplies> told = unanswered;
    AbandonedReplies by = owed;
    if (told != null && by != null && !isDone()) {
      told.accept(by);
    }
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    if (onWire.get() == OnWire.WRITTEN) {
      endsUnanswered();
    }
    return super.completeExceptionally(
        failure instanceof LockException || failure instanceof CancellationException
            ? failure
            : failure(failure));
  }

  @Override
  public void cancel() {
    cancel(true);
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    if (onWire.get() != OnWire.ANSWERED) { // it may be about to be written
      endsUnanswered();
    }
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    givenUp();
    return cancelled;
  }

  @Override
  public CommandOutput<byte[], byte[], Object> getOutput() {
    return command.getOutput();
  }

  @Override
  public CommandArgs<byte[], byte[]> getArgs() {
    return command.getArgs();
  }

  @Override
  public ProtocolKeyword getType() {
    return command.getType();
  }

  @Override
  public void encode(ByteBuf buffer) {
    command.encode(buffer);
    written();
  }

  @Override
  public void setOutput(CommandOutput<byte[], byte[], Object> output) {
    command.setOutput(output);
  }
}
