package dev.leasehold.redis.common;

import static dev.leasehold.redis.common.Arguments.ascii;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.quorum.SlotStore;
import dev.leasehold.lock.spi.quorum.SlotStore.SlotVote;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Semaphores on a node of a quorum, independent of the client: each operation's script and its
 * arguments. Immutable.
 */
public final class SlotScripts {
  private final KeySpace space;
  private final SeveralScripts several;

  /**
   * For one store.
   *
   * @param storeId prefix of this store's waiters, and suffix of its channels; without a colon
   */
  public SlotScripts(String storeId, KeySpace space) {
    this.space = space;
    this.several = new SeveralScripts(storeId, space, Script.GUARDED_SLOTS_ACQUIRE);
  }

  private byte[] slots(String name) {
    return space.beside(name, ":slots:of");
  }

  private byte[][] keys(String name) {
    return SeveralKeys.slots(space, name).with(slots(name));
  }

  private ScriptRequest asked(Script script, String name, byte[][] arguments) {
    return new ScriptRequest(script, keys(name), arguments, LockKind.SEMAPHORE);
  }

  /**
   * Acquires slots, proposing this fence; to be sent as {@link Script#GUARDED_SLOTS_ACQUIRE}. The
   * reply is for {@link #voted}.
   */
  public ScriptRequest vote(
      AcquireRequest request, List<Integer> slots, int of, Publishing how, long proposal) {
    String name = request.key().name();
    ScriptRequest plain =
        several.acquire(
            Places.asWaited(request, proposal), keys(name), ascii(slots.size()), ascii(of), how);
    String named = slots.stream().map(String::valueOf).collect(Collectors.joining(","));
    return plain
        .with(ascii(request.handOvers()), ascii(proposal), ascii(named))
        .about(LockKind.SEMAPHORE);
  }

  /**
   * Parses the reply to {@link #vote}.
   *
   * @throws LockConfigurationException if the name has another number of permits
   */
  public static SlotVote voted(AcquireRequest request, int of, Object reply) {
    if (reply instanceof List<?> several && (Long) several.get(0) == 0) {
      throw SlotStore.anotherNumber(request.key().name(), of, (Long) several.get(1));
    }
    if (reply instanceof List<?> several && (Long) several.get(0) < 0) {
      Duration left = Duration.ofMillis(-1 - (Long) several.get(0));
      return new SlotVote(
          new Held(left), several.stream().skip(1).map(slot -> ((Long) slot).intValue()).toList());
    }
    return new SlotVote(Replies.acquire(reply, request.ttl()), List.of());
  }

  /** Releases slots; the reply is for {@link Replies#release}. */
  public ScriptRequest release(LeaseKey lease, Publishing how) {
    return asked(Script.SLOTS_RELEASE, lease.name(), SeveralScripts.giving(lease, ascii(1), how));
  }

  /** As {@link #release}, for a lease with unused fencing numbers. */
  public ScriptRequest release(LeaseKey lease, FenceRun run, Publishing how) {
    return release(lease, how).with(ascii(run.used()), ascii(run.last()));
  }

  /** Removes a waiter from the queue; the reply has no meaning. */
  public ScriptRequest leave(LeaseKey waiter, int wanted, Publishing how) {
    return asked(Script.SLOTS_LEAVE, waiter.name(), several.leaving(waiter, ascii(wanted), how));
  }

  /** Renews leases; each reply is for {@link Replies#renew}. */
  public ScriptRequest renew(List<RenewRequest> batch) {
    return SeveralScripts.renew(
            batch, name -> SeveralKeys.slots(space, name).holders(), this::slots)
        .about(LockKind.SEMAPHORE);
  }

  /** Raises the fences, and the run of numbers, to at least this, if the token holds its slots. */
  public ScriptRequest raise(LeaseKey lease, long fence, int handOvers) {
    return asked(
        Script.SLOTS_RAISE,
        lease.name(),
        new byte[][] {ascii(lease.token()), ascii(fence), ascii(handOvers)});
  }

  /** Counts slots; the reply is for {@link PermitScripts#counted}. */
  public ScriptRequest count(String name) {
    return asked(Script.SLOTS_COUNT, name, new byte[0][]);
  }
}
