package dev.leasehold.redis.common;

import static dev.leasehold.redis.common.Arguments.ascii;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.Latches.State;
import dev.leasehold.lock.spi.LeaseKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Latches, independent of the client: each operation's script and its arguments. Immutable.
 *
 * <p>The keys of a name are in the slot of its lock: <code>lh:{name}:latch</code> and two others,
 * described in {@code latch.lua}.
 */
public final class LatchScripts {
  /** How many parts a state has. */
  private static final int STATE = 4;

  private static final byte[] ONLY_LOOK = {'0'};
  private static final byte[] BECOME_A_WAITER = {'1'};

  private final String storeId;
  private final KeySpace space;

  /**
   * For one store.
   *
   * @param storeId prefix of this store's waiters, and suffix of its channels; without a colon
   */
  public LatchScripts(String storeId, KeySpace space) {
    this.storeId = storeId;
    this.space = space;
  }

  private byte[][] keys(String name) {
    return space.allBeside(name, ":latch", ":latch:counted", ":latch:wait");
  }

  private ScriptRequest request(Script script, LeaseKey key, byte[]... arguments) {
    return new ScriptRequest(script, keys(key.name()), arguments, LockKind.LATCH);
  }

  /** Opens a latch; the reply is for {@link #done}. */
  public ScriptRequest open(LeaseKey round, int count, Duration keepFor) {
    return request(
        Script.LATCH_OPEN, round, ascii(round.token()), ascii(count), ascii(keepFor.toMillis()));
  }

  /** Counts down by one; the reply is for {@link #done}. */
  public ScriptRequest countDown(LeaseKey once, Publishing how) {
    return request(
        Script.LATCH_COUNT_DOWN,
        once,
        ascii(once.token()),
        how.command(),
        how.prefix(),
        how.message());
  }

  /** Parses the reply to {@link #open} or {@link #countDown}. */
  public static boolean done(long reply) {
    return reply == 1;
  }

  /** Reads a latch; the reply is for {@link #state}. */
  public ScriptRequest look(LeaseKey waiter, IfHeld ifClosed) {
    return ifClosed == IfHeld.ENQUEUE
        ? request(Script.LATCH_LOOK, waiter, BECOME_A_WAITER, waiter(waiter))
        : request(Script.LATCH_LOOK, waiter, ONLY_LOOK);
  }

  /** Parses the reply to {@link #look}. */
  public static Optional<State> state(@Nullable List<?> reply) {
    if (reply == null || reply.size() < STATE) {
      return Optional.empty();
    }
    return Optional.of(
        new State(
            text(reply.get(0)),
            ((Long) reply.get(1)).intValue(),
            Duration.ofMillis((Long) reply.get(2)),
            text(reply.get(3))));
  }

  /** Redisson decodes an empty text as null. */
  private static String text(@Nullable Object reply) {
    return reply == null ? "" : Replies.text(reply);
  }

  /** Removes a waiter; the reply has no meaning. */
  public ScriptRequest leave(LeaseKey waiter) {
    return request(Script.LATCH_LEAVE, waiter, waiter(waiter));
  }

  private byte[] waiter(LeaseKey key) {
    return ascii(storeId + ':' + key.token());
  }
}
