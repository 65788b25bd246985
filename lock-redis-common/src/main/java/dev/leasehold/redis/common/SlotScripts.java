package dev.leasehold.redis.common;

import static dev.leasehold.redis.common.Arguments.ascii;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Held;
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
public final class SlotScripts extends SeveralScripts {
  private static final Scripts SCRIPTS =
      new Scripts(Script.GUARDED_SLOTS_ACQUIRE, Script.SLOTS_RELEASE, Script.SLOTS_LEAVE);

  private static final String HOLDERS = ":slots";
  private static final String SLOTS = ":slots:of";

  private final List<Integer> slots;
  private final int of;

  /**
   * For one store, and certain slots.
   *
   * @param storeId prefix of this store's waiters, and suffix of its channels; without a colon
   */
  public SlotScripts(String storeId, KeySpace space, List<Integer> slots, int of) {
    super(storeId, space, LockKind.SEMAPHORE, ascii(slots.size()), SCRIPTS);
    this.slots = List.copyOf(slots);
    this.of = of;
  }

  @Override
  byte[][] keys(String name) {
    return space.allBeside(
        name, HOLDERS, ":slots:wait", ":slots:door", ":slots:number", SLOTS, ":slots:ends");
  }

  @Override
  public ScriptRequest acquire(AcquireRequest request, Publishing how) {
    return vote(request, how, 0);
  }

  @Override
  public AcquireResult acquired(AcquireRequest request, Object reply) {
    return voted(request, reply).result();
  }

  /** Acquires slots, proposing this fence; needs a guard. The reply is for {@link #voted}. */
  public ScriptRequest vote(AcquireRequest request, Publishing how, long proposal) {
    String named = slots.stream().map(String::valueOf).collect(Collectors.joining(","));
    return acquire(asWaited(request, proposal), ascii(of), how)
        .with(ascii(request.handOvers()), ascii(proposal), ascii(named));
  }

  /**
   * Parses the reply to {@link #vote}.
   *
   * @throws LockConfigurationException if the name has another number of permits
   */
  public SlotVote voted(AcquireRequest request, Object reply) {
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

  /** Whatever slots they are: the lease's own. */
  @Override
  public ScriptRequest release(LeaseKey lease, Publishing how) {
    return asked(Script.SLOTS_RELEASE, lease.name(), giving(lease, ascii(1), how, 0).all());
  }

  @Override
  public ScriptRequest renew(List<RenewRequest> batch) {
    return renew(batch, name -> space.beside(name, HOLDERS), name -> space.beside(name, SLOTS));
  }

  /** Raises the fences, and the run of numbers, to at least this, if the token holds its slots. */
  public ScriptRequest raise(LeaseKey lease, long fence, int handOvers) {
    return asked(
        Script.SLOTS_RAISE, lease.name(), ascii(lease.token()), ascii(fence), ascii(handOvers));
  }

  /** Counts slots; the reply is for {@link PermitScripts#counted}. */
  public ScriptRequest count(String name) {
    return asked(Script.SLOTS_COUNT, name);
  }
}
