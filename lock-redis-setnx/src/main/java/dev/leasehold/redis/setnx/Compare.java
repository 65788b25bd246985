package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.redis.common.RedisErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Compare and write in one step, on a server without scripts: WATCH, read, decide here, MULTI,
 * write, EXEC. If any of the keys was changed in between, nothing is written, and it starts again.
 * Thread-safe.
 */
final class Compare {
  /** Each failed try means that another client has changed the lock meanwhile. */
  private static final int MOST_TRIES = 16;

  private static final Command UNWATCH = Command.of(Protocol.Command.UNWATCH);

  private final JedisRedis redis;
  private final WallClock clock;

  Compare(JedisRedis redis, WallClock clock) {
    this.redis = redis;
    this.clock = clock;
  }

  /**
   * What to read.
   *
   * @param operation "acquire", for messages
   * @param lockName the lock's name
   * @param keys keys to watch; the first is the lock
   * @param beside another read in the same round trip, if any
   */
  @SuppressWarnings("ArrayRecordComponent") // keys as a client sends them; never compared
  record Reads(String operation, String lockName, byte[][] keys, Optional<Command> beside) {
    private Reads valueAlone() {
      return new Reads(operation, lockName, keys, Optional.empty());
    }
  }

  /**
   * What was read.
   *
   * @param value the lock's value, if there is one
   * @param beside reply to the other read
   * @param micros the time then, in microseconds since 1970
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Seen(byte @Nullable [] value, @Nullable Object beside, long micros) {}

  /**
   * A decision.
   *
   * @param result the operation's result, if the writes succeed
   * @param writes the writes to be done in one step; may be none
   */
  record Step<T>(T result, List<Command> writes) {
    static <T> Step<T> leave(T result) {
      return new Step<>(result, List.of());
    }

    static <T> Step<T> write(T result, Command... writes) {
      return new Step<>(result, List.of(writes));
    }
  }

  /**
   * Reads, decides, and writes.
   *
   * @param glance may give an answer from the value alone: a refusal, the usual answer to waiters,
   *     then takes only two commands
   * @param judge decides; called again whenever the keys were changed before the write
   * @return empty if other clients changed the keys each time
   */
  <T> Optional<T> run(
      Reads reads, Function<Seen, Optional<T>> glance, Function<Seen, Step<T>> judge) {
    return talk(
        reads,
        conversation -> {
          Optional<T> early = glance.apply(look(conversation, reads.valueAlone(), List.of()));
          return early.isPresent() ? early : decide(conversation, reads, judge);
        });
  }

  /**
   * The same without a glance, for operations that can't end without an outcome.
   *
   * @throws LockStoreException if other clients changed the keys each time
   */
  <T> T run(Reads reads, Function<Seen, Step<T>> judge) {
    Optional<T> outcome = talk(reads, conversation -> decide(conversation, reads, judge));
    return outcome.orElseThrow(
        () ->
            new LockStoreException(
                Kind.UNAVAILABLE,
                RedisErrors.message(reads.operation(), LockKind.LOCK, reads.lockName())
                    + ": its key was changed by others each of "
                    + MOST_TRIES
                    + " times between reading and writing"));
  }

  /** Only reads. */
  <T> T read(Reads reads, Function<Seen, T> told) {
    return talk(reads, conversation -> told.apply(look(conversation, reads, List.of())));
  }

  private <T> T talk(Reads reads, Function<Conversation, T> steps) {
    return redis.talk(reads.operation(), reads.lockName(), reads.keys()[0], steps);
  }

  private <T> Optional<T> decide(
      Conversation conversation, Reads reads, Function<Seen, Step<T>> judge) {
    List<Command> watch = List.of(new Command(Protocol.Command.WATCH, reads.keys()));
    for (int i = 0; i < MOST_TRIES; i++) {
      Step<T> step = judge.apply(look(conversation, reads, watch));
      if (step.writes().isEmpty()) {
        unwatch(conversation);
        return Optional.of(step.result());
      }
      if (write(conversation, step.writes())) {
        return Optional.of(step.result());
      }
    }
    return Optional.empty();
  }

  /** Ends watching if nothing is written. If this fails, the connection is not used again. */
  private static void unwatch(Conversation conversation) {
    try {
      conversation.call(UNWATCH);
    } catch (JedisException | LockStoreException e) {
      // The result is known nevertheless.
    }
  }

  private Seen look(Conversation conversation, Reads reads, List<Command> watch) {
    List<Command> commands = new ArrayList<>(watch);
    commands.add(Command.of(Protocol.Command.GET, reads.keys()[0]));
    reads.beside().ifPresent(commands::add);
    commands.addAll(clock.question());
    long before = clock.before();
    List<@Nullable Object> replies = conversation.callAll(commands.toArray(Command[]::new));
    Object beside = reads.beside().isPresent() ? replies.get(watch.size() + 1) : null;
    return new Seen((byte[]) replies.get(watch.size()), beside, clock.micros(before, replies));
  }

  /** False if a key was changed since it was read: then nothing was written. */
  private static boolean write(Conversation conversation, List<Command> writes) {
    List<Command> commands = new ArrayList<>();
    commands.add(Command.of(Protocol.Command.MULTI));
    commands.addAll(writes);
    commands.add(Command.of(Protocol.Command.EXEC));
    List<@Nullable Object> replies = conversation.callAll(commands.toArray(Command[]::new));
    Object done = replies.get(replies.size() - 1);
    if (!(done instanceof List<?> results)) {
      return false;
    }
    for (Object result : results) {
      if (result instanceof JedisDataException refused) {
        throw refused;
      }
    }
    return true;
  }
}
