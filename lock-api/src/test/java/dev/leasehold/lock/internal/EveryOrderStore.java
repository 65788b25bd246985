package dev.leasehold.lock.internal;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A server with one lock, and the messages to and from it. Nothing happens by itself: a test
 * delivers or loses each message.
 */
final class EveryOrderStore implements ReadWriteStore, RecallStore {
  private static final String OTHER = "other:0";

  /** How many fencing numbers a grant reserves for hand-overs. */
  private static final int NUMBERS = 3;

  private static final String RECALLABLE = "~";

  private final Ticker ticker;
  private final Set<Guarantee> guarantees;
  private final List<Message> messages = new ArrayList<>();
  private final Set<String> line = new LinkedHashSet<>();
  private final Set<String> released = new HashSet<>();
  private final Map<LeaseKey, Runnable> watches = new LinkedHashMap<>();
  private final Map<LeaseKey, Runnable> recalls = new HashMap<>();

  /** The tokens that have the lock, each with the end of its lease; several only of readers. */
  private final Map<String, Long> holders = new LinkedHashMap<>();

  private boolean heldByOther;
  private long fence;

  /** What the server does wrong, for twins. */
  enum Flaw {
    NONE,
    /** It grants a lock that another has. */
    GRANTS_HELD,
    /** It forgets which tokens were given up, and lets them take the lock when they come late. */
    GRANTS_RELEASED,
    /** Its fencing tokens do not grow. */
    SAME_FENCE,
    /** It says "held" of a free lock. */
    REFUSES_FREE
  }

  Flaw flaw = Flaw.NONE;

  EveryOrderStore(Ticker ticker, Set<Guarantee> guarantees) {
    this.ticker = ticker;
    this.guarantees = guarantees;
  }

  /** A request and its answer, or a message to a client. */
  record Message(String what, Runnable delivered, Runnable unanswered, Runnable lost) {}

  private static LockStoreException failure(Kind kind) {
    return new LockStoreException(kind, "of the test's");
  }

  private <T> CompletionStage<T> request(String what, Supplier<T> execution) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    messages.add(
        new Message(
            what,
            () -> answer.complete(execution.get()),
            () -> {
              execution.get();
              answer.completeExceptionally(failure(Kind.TIMED_OUT));
            },
            () -> answer.completeExceptionally(failure(Kind.UNREACHABLE))));
    return answer;
  }

  private void tell(String what, Runnable message) {
    messages.add(new Message(what, message, () -> {}, () -> {}));
  }

  // ---- what a test lets happen ----

  /** The messages on their way. */
  List<Message> messages() {
    return messages;
  }

  /** Delivers a request and its answer. */
  void deliver(Message message) {
    messages.remove(message);
    message.delivered().run();
  }

  /** Delivers a request, but not its answer. */
  void deliverUnanswered(Message message) {
    messages.remove(message);
    message.unanswered().run();
  }

  void lose(Message message) {
    messages.remove(message);
    message.lost().run();
  }

  boolean isFree() {
    return holders.keySet().stream().noneMatch(this::has);
  }

  private boolean has(String token) {
    Long end = holders.get(token);
    return end != null && end - ticker.nanos() > 0;
  }

  boolean isHeldByOther() {
    return heldByOther;
  }

  /** The client in another process acquires the free lock. */
  void otherTakes() {
    heldByOther = true;
    grant(OTHER, Duration.ofDays(1), true);
  }

  void otherReleases() {
    heldByOther = false;
    free(OTHER);
  }

  /** What is left of the clients; empty if nothing. */
  String leftovers() {
    return (isFree() ? "" : "lock " + holders.keySet() + " ")
        + (line.isEmpty() ? "" : "line " + line + " ")
        + (watches.isEmpty() ? "" : "watches " + watches.keySet() + " ")
        + (recalls.isEmpty() ? "" : "recalls " + recalls.keySet() + " ")
        + (messages.isEmpty() ? "" : "messages " + messages.size());
  }

  // ---- the server ----

  private AcquireResult execute(AcquireRequest request) {
    String token = request.key().token();
    boolean mine = has(token);
    boolean dead = released.contains(token) && flaw != Flaw.GRANTS_RELEASED;
    boolean free = flaw == Flaw.GRANTS_HELD || (isShared() ? !has(OTHER) : isFree());
    if (dead || (!mine && !free) || flaw == Flaw.REFUSES_FREE) {
      if (request.ifHeld() == IfHeld.ENQUEUE && !dead) {
        line.add(token);
      }
      return held();
    }
    line.remove(token);
    grant(token, request.ttl(), !mine);
    return new AcquireResult.Granted(OptionalLong.of(fence - NUMBERS), NUMBERS, request.ttl());
  }

  private AcquireResult held() {
    Optional<String> one = holders.keySet().stream().filter(this::has).findFirst();
    long left = one.map(holders::get).orElse(ticker.nanos()) - ticker.nanos();
    return one.isPresent() && one.get().endsWith(RECALLABLE)
        ? AcquireResult.Held.recallable(Duration.ofNanos(left), one.get())
        : new AcquireResult.Held(Duration.ofNanos(left));
  }

  private void grant(String token, Duration ttl, boolean anew) {
    if (anew && !isShared()) {
      holders.clear();
    }
    holders.merge(token, ticker.nanos() + ttl.toNanos(), Math::max);
    if (anew) {
      fence = flaw == Flaw.SAME_FENCE ? NUMBERS + 1 : fence + 1 + NUMBERS;
    }
  }

  private ReleaseResult free(String token) {
    boolean had = has(token);
    holders.remove(token);
    if (!had) {
      return ReleaseResult.NOT_OWNER;
    }
    return isFree() && wakeOne() ? ReleaseResult.RELEASED_AND_WOKE : ReleaseResult.RELEASED;
  }

  private boolean wakeOne() {
    if (line.isEmpty()) {
      return false;
    }
    String next = line.iterator().next();
    line.remove(next);
    watches.forEach(
        (key, wakeUp) -> {
          if (!guarantees.contains(Guarantee.FAIR) || key.token().equals(next)) {
            tell("wake", wakeUp);
          }
        });
    return true;
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return request("acquire", () -> execute(request));
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return batch.stream()
        .map(
            one ->
                request(
                    "renew",
                    () -> {
                      if (!has(one.key().token())) {
                        return RenewResult.NOT_OWNER;
                      }
                      grant(one.key().token(), one.ttl(), false);
                      return RenewResult.RENEWED;
                    }))
        .toList();
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return request(
        "release",
        () -> {
          released.add(lease.token());
          return free(lease.token());
        });
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return request(
        "leave",
        () -> {
          released.add(waiter.token());
          line.remove(waiter.token());
          return isFree() && wakeOne();
        });
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    if (!guarantees.contains(Guarantee.WAKE_UP)) {
      return CompletableFuture.completedFuture(Watch.NONE);
    }
    CompletableFuture<Watch> answer = new CompletableFuture<>();
    Runnable fails = () -> answer.completeExceptionally(failure(Kind.UNREACHABLE));
    Runnable listens =
        () -> {
          watches.put(waiter, wakeUp);
          if (!answer.complete(() -> watches.remove(waiter, wakeUp))) {
            watches.remove(waiter, wakeUp);
          }
        };
    messages.add(new Message("watch", listens, fails, fails));
    return answer;
  }

  /** Whether it has readers; then the client in another process is a writer. */
  private boolean isShared() {
    return guarantees.contains(Guarantee.SHARED);
  }

  @Override
  public LeaseStore reads() {
    return this;
  }

  @Override
  public LeaseStore readsBeside(LeaseKey write) {
    return this;
  }

  @Override
  public LeaseStore writes() {
    return this;
  }

  @Override
  public LeaseKey recallable(LeaseKey fresh) {
    return new LeaseKey(fresh.name(), fresh.token() + RECALLABLE);
  }

  @Override
  public CompletionStage<Watch> onRecall(LeaseKey lease, Runnable recalled) {
    recalls.put(lease, recalled);
    return CompletableFuture.completedFuture(() -> recalls.remove(lease, recalled));
  }

  @Override
  public CompletionStage<?> recall(LeaseKey lease) {
    Runnable recalled = recalls.get(lease);
    if (recalled != null) {
      tell("recall", recalled);
    }
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  @Override
  public Set<Guarantee> guarantees() {
    return guarantees;
  }

  @Override
  public void close() {}
}
