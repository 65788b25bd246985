package dev.leasehold.redis.common;

import static dev.leasehold.redis.common.Arguments.ascii;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.Latches.State;
import dev.leasehold.lock.spi.LeaseKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Latches, whatever the client: which script each operation is, and what it is told. Immutable.
 *
 * <p>The keys of a name are in the slot of its lock: <code>lh:{name}:latch</code>, and two beside
 * it; {@code latch.lua} tells what they are.
 */
public final class LatchScripts {
  private static final byte[] ONLY_LOOK = {'0'};
  private static final byte[] BECOME_A_WAITER = {'1'};

  private final String storeId;
  private final KeySpace space;

  /**
   * For one store.
   *
   * @param storeId begins this store's waiters, and ends its channels; without a colon
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

  /** Opens a latch; {@link #done} tells what the answer means. */
  public ScriptRequest open(LeaseKey round, int count, Duration keepFor) {
    return request(
        Script.LATCH_OPEN, round, ascii(round.token()), ascii(count), ascii(keepFor.toMillis()));
  }

  /** Takes one off; {@link #done} tells what the answer means. */
  public ScriptRequest countDown(LeaseKey once, Publishing how) {
    return request(
        Script.LATCH_COUNT_DOWN,
        once,
        ascii(once.token()),
        how.command(),
        how.prefix(),
        how.message());
  }

  /** What the answer to {@link #open} or {@link #countDown} means. */
  public static boolean done(long reply) {
    return reply == 1;
  }

  /** Looks at a latch; {@link #state} tells what the answer means. */
  public ScriptRequest look(LeaseKey waiter, IfHeld ifClosed) {
    return ifClosed == IfHeld.ENQUEUE
        ? request(Script.LATCH_LOOK, waiter, BECOME_A_WAITER, waiter(waiter))
        : request(Script.LATCH_LOOK, waiter, ONLY_LOOK);
  }

  /** What the answer to {@link #look} means. */
  public static Optional<State> state(@Nullable List<?> reply) {
    if (reply == null || reply.isEmpty() || reply.get(0) == null) {
      return Optional.empty();
    }
    return Optional.of(
        new State(
            text(reply.get(0)),
            ((Long) reply.get(1)).intValue(),
            Duration.ofMillis((Long) reply.get(2)),
            text(reply.get(3))));
  }

  private static String text(Object reply) {
    return new String((byte[]) reply, US_ASCII);
  }

  /** Takes a waiter off; the answer means nothing. */
  public ScriptRequest leave(LeaseKey waiter) {
    return request(Script.LATCH_LEAVE, waiter, waiter(waiter));
  }

  private byte[] waiter(LeaseKey key) {
    return ascii(storeId + ':' + key.token());
  }
}
