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
 * Semaphores on a node of a quorum, whatever the client: which script each operation is, and what
 * it is told. Immutable.
 */
public final class SlotScripts {
  private final KeySpace space;
  private final SeveralScripts several;

  /**
   * For one store.
   *
   * @param storeId begins this store's waiters, and ends its channels; without a colon
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
   * Takes slots, proposing this fence; to be sent as {@link Script#GUARDED_SLOTS_ACQUIRE}. {@link
   * #voted} tells what the answer means.
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
   * What the answer to {@link #vote} means.
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

  /** Gives slots back; {@link Replies#release} tells what the answer means. */
  public ScriptRequest release(LeaseKey lease, Publishing how) {
    return asked(Script.SLOTS_RELEASE, lease.name(), SeveralScripts.giving(lease, ascii(1), how));
  }

  /** As {@link #release}, of a lease that has fencing numbers left. */
  public ScriptRequest release(LeaseKey lease, FenceRun run, Publishing how) {
    return release(lease, how).with(ascii(run.used()), ascii(run.last()));
  }

  /** Takes a waiter out of the line; the answer means nothing. */
  public ScriptRequest leave(LeaseKey waiter, int wanted, Publishing how) {
    return asked(Script.SLOTS_LEAVE, waiter.name(), several.leaving(waiter, ascii(wanted), how));
  }

  /** Renews leases; {@link Replies#renew} tells what each of the answers means. */
  public ScriptRequest renew(List<RenewRequest> batch) {
    return SeveralScripts.renew(
            batch, name -> SeveralKeys.slots(space, name).holders(), this::slots)
        .about(LockKind.SEMAPHORE);
  }

  /** Makes the fences end no sooner than this, and the run after it, if the token has its slots. */
  public ScriptRequest raise(LeaseKey lease, long fence, int handOvers) {
    return asked(
        Script.SLOTS_RAISE,
        lease.name(),
        new byte[][] {ascii(lease.token()), ascii(fence), ascii(handOvers)});
  }

  /** Counts; {@link PermitScripts#counted} tells what the answer means. */
  public ScriptRequest count(String name) {
    return asked(Script.SLOTS_COUNT, name, new byte[0][]);
  }
}
