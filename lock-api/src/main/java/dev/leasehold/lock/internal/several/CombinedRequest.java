package dev.leasehold.lock.internal.several;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.internal.acquire.LockTable;
import dev.leasehold.lock.internal.acquire.Waiter;
import dev.leasehold.lock.internal.acquire.Waiter.Patience;
import dev.leasehold.lock.internal.calls.Lingering;
import dev.leasehold.lock.internal.calls.RequestSender;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.several.CombinedStep.Round;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MultiLockStore.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One request to the store for several names. Each name passes through its entry like any single
 * attempt; there it re-enters, or is refused because of other waiters of this process. When each
 * has either built its request or needs none, one request for all of them is sent; none is sent if
 * one was refused here. It ends with all of the names, or none.
 */
public final class CombinedRequest {
  private static final Held NOT_ASKED = new Held(Duration.ZERO);

  private final CombinedNames combined;
  private final List<Part> parts;
  private final List<LeaseHandle> beside;

  /** How many have no request and no outcome yet; plus one while they are being entered. */
  private final AtomicInteger missing;

  /** The place of a name that is held by others. */
  private volatile int refused;

  private volatile boolean withdrawn;

  private volatile long askedAt;

  /** How often leases were recalled because their holders may not use them. */
  private final AtomicInteger recalls = new AtomicInteger();

  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  public CombinedRequest(CombinedNames combined, List<Integer> places, List<Lease> taken) {
    this.combined = combined;
    this.parts = places.stream().map(combined.names()::get).map(Part::new).toList();
    this.missing = new AtomicInteger(parts.size() + 1);
    this.beside =
        taken.stream()
            .filter(LeaseHandle.class::isInstance)
            .map(LeaseHandle.class::cast)
            .filter(handle -> handle.entry().hold.remote.mayBeRaised())
            .toList();
  }

  /** One of the names. */
  private final class Part implements RequestSender {
    final String name;

    /** Completed by the store's answer to all. */
    final CompletableFuture<AcquireResult> answer = new CompletableFuture<>();

    /** Its outcome, also if it was given up: then empty. */
    final CompletableFuture<Optional<Lease>> end = new CompletableFuture<>();

    /** Its request, or {@link #end} if it needs none: whichever comes first. */
    private final AtomicReference<@Nullable Object> stand = new AtomicReference<>();

    private @Nullable Waiter entered;

    Part(String name) {
      this.name = name;
    }

    void enter(Object owner) {
      LockTable table = combined.table();
      Waiter in =
          table.enter(name, owner, combined.options(), table.whole(), Patience.NONE, this, null);
      entered = in;
      in.outcome.whenComplete(
          (found, failed) -> {
            if (failed != null) {
              fail(failed);
            }
            end.complete(failed == null && found != null ? found : Optional.empty());
            stands(end);
          });
    }

    /** The store's answer to all. */
    @Override
    public boolean mayAskAgain() {
      return false;
    }

    @Override
    public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
      if (!stands(request)) {
        answer.complete(NOT_ASKED); // decided meanwhile
      }
      return answer;
    }

    /** This name is ready; after the last one, all are. */
    boolean stands(Object how) {
      boolean first = stand.compareAndSet(null, how);
      if (first) {
        oneLess();
      }
      return first;
    }

    @Nullable AcquireRequest request() {
      return stand.get() instanceof AcquireRequest request ? request : null;
    }

    boolean isRefused() {
      return request() == null && end.getNow(Optional.empty()).isEmpty();
    }

    /** Others are refused: it is free, but of no use. */
    void giveUp() {
      leave();
      answer.complete(NOT_ASKED);
    }

    /** Gives up the part. A request that was sent may still be granted. */
    void leave() {
      Waiter in = entered;
      if (in != null && in.leave()) {
        end.complete(Optional.empty());
        stands(end);
      }
    }

    boolean isInDoubt() {
      Waiter in = entered;
      return in != null && in.doubtful;
    }

    void recorded() {
      Waiter in = entered;
      if (in != null) {
        in.recorded();
      }
    }
  }

  private void oneLess() {
    if (missing.decrementAndGet() == 0) {
      try {
        ask();
      } catch (RuntimeException | Error e) { // otherwise none would ever be answered
        parts.forEach(part -> part.answer.completeExceptionally(e));
      }
    }
  }

  private void fail(Throwable why) {
    failure.compareAndSet(null, why);
  }

  /**
   * Sends the request; completes when nothing of it is in flight. After a failure nothing is held.
   * Cancellation gives it up, as for any acquisition.
   */
  public CompletableFuture<Round<Lease>> take(Object owner) {
    CompletableFuture<Round<Lease>> outcome = new CompletableFuture<>();
    taken(owner)
        .whenComplete(
            (round, failed) -> {
              if (failed != null) {
                outcome.completeExceptionally(failed);
              } else if (!outcome.complete(round)) {
                round.taken().forEach(AllLeases::giveBackUnused);
              }
            });
    outcome.whenComplete(
        (round, failed) -> {
          if (outcome.isCancelled()) {
            withdrawn = true;
            parts.forEach(Part::leave);
          }
        });
    return outcome;
  }

  private CompletableFuture<Round<Lease>> taken(Object owner) {
    for (Part part : parts) {
      try {
        if (failure.get() == null) {
          part.enter(owner);
          continue;
        }
      } catch (RuntimeException | Error e) { // the manager is closed, say
        fail(e);
      }
      part.end.complete(Optional.empty());
      part.stands(part.end);
    }
    oneLess();
    return CompletableFuture.allOf(
            parts.stream().map(part -> part.end).toArray(CompletableFuture<?>[]::new))
        .thenCompose(all -> ended());
  }

  private void ask() {
    if (withdrawn) {
      parts.forEach(Part::giveUp);
      return;
    }
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).isRefused()) {
        refused = i;
        parts.forEach(Part::giveUp);
        return;
      }
    }
    List<Part> asking = new ArrayList<>();
    List<AcquireRequest> requests = new ArrayList<>();
    for (Part part : parts) {
      AcquireRequest request = part.request();
      if (request != null) {
        asking.add(part);
        requests.add(request);
      }
    }
    if (!asking.isEmpty()) {
      askedAt = combined.table().services().time().now();
      List<LeaseKey> keys =
          beside.stream().map(handle -> handle.entry().hold.remote.key()).toList();
      combined
          .operations()
          .send(asking.get(0).name, "acquire", () -> combined.store().acquireAll(requests, keys))
          .whenComplete((answer, failed) -> answered(asking, answer, failed));
    }
  }

  private void answered(List<Part> asking, @Nullable Answer answer, @Nullable Throwable failed) {
    try {
      takeIn(asking, answer, failed);
    } catch (RuntimeException | Error e) { // an answer of no sense, say; it may have been granted
      asking.forEach(part -> part.answer.completeExceptionally(e));
    }
  }

  private void takeIn(List<Part> asking, @Nullable Answer answer, @Nullable Throwable failed) {
    if (answer instanceof Answer.Granted granted) {
      granted.fence().ifPresent(fence -> beside.forEach(handle -> handle.raise(fence)));
      AcquireResult mine = new AcquireResult.Granted(granted.fence(), granted.ttl());
      asking.forEach(part -> part.answer.complete(mine));
    } else if (answer instanceof Answer.Refused refused) {
      refused(asking, refused.held());
    } else {
      Throwable why = Objects.requireNonNull(failed);
      asking.forEach(part -> part.answer.completeExceptionally(why));
    }
  }

  private void refused(List<Part> asking, Map<Integer, Held> held) {
    if (recalled(asking, held)) {
      missing.incrementAndGet();
      Timing clock = combined.table().services().time();
      clock.later(Lingering.recallPause(clock.since(askedAt), recalls.get()), this::oneLess);
      return;
    }
    for (int i = asking.size() - 1; i >= 0; i--) {
      Part part = asking.get(i);
      Held by = held.get(i);
      if (by == null) {
        part.giveUp();
      } else {
        refused = parts.indexOf(part);
        part.answer.complete(by.asRecalled()); // or the part would recall it again
      }
    }
  }

  /** Recalls leases that their holders may not use. Returns whether to ask again. */
  private boolean recalled(List<Part> asking, Map<Integer, Held> held) {
    boolean any = false;
    for (int i = 0; i < asking.size(); i++) {
      Held by = held.get(i);
      if (by != null && by.recallable().isPresent()) {
        combined.operations().recall(asking.get(i).name, by);
        any = recalls.get() < Lingering.MOST_RECALLS;
      }
    }
    recalls.incrementAndGet();
    return any;
  }

  private CompletableFuture<Round<Lease>> ended() {
    parts.forEach(Part::recorded);
    List<Lease> leases = parts.stream().flatMap(part -> part.end.join().stream()).toList();
    Throwable why = failure.get();
    if (why == null && leases.size() == parts.size()) {
      return CompletableFuture.completedFuture(Round.of(leases));
    }
    CompletableFuture<?>[] back =
        leases.stream().map(AllLeases::giveBackUnused).toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(back)
        .handle((done, failed) -> why)
        .thenCompose(
            all ->
                why == null
                    ? CompletableFuture.completedFuture(refusal())
                    : CompletableFuture.failedFuture(why));
  }

  private Round<Lease> refusal() {
    return new Round<>(List.of(), refused, parts.get(refused).isInDoubt());
  }
}
