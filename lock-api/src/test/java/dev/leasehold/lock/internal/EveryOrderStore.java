package dev.leasehold.lock.internal;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.EveryOrderLock.Flaw;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MultiLockStore;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server with some locks, and the messages to and from it. Nothing happens by itself: a test
 * delivers or loses each message.
 */
final class EveryOrderStore implements MultiLockStore, ReadWriteStore, RecallStore {
  private final Set<Guarantee> guarantees;
  private final Flaw flaw;
  private final Map<String, EveryOrderLock> locks = new LinkedHashMap<>();
  private final List<Message> messages = new ArrayList<>();
  private final Map<LeaseKey, Runnable> watches = new LinkedHashMap<>();
  private final Map<LeaseKey, Runnable> recalls = new HashMap<>();

  EveryOrderStore(Ticker ticker, Set<Guarantee> guarantees, Set<String> names, Flaw flaw) {
    this.guarantees = guarantees;
    this.flaw = flaw;
    boolean shared = guarantees.contains(Guarantee.SHARED);
    for (String name : names) {
      locks.put(name, new EveryOrderLock(ticker, shared, flaw, token -> wake(name, token)));
    }
  }

  // ---- messages ----

  /**
   * A request, with its answer or without; an answer; or a message to a client.
   *
   * @param executed lets a request arrive, and its answer be a message of its own; null if it is no
   *     request
   */
  record Message(String what, Runnable delivered, @Nullable Runnable executed, Runnable lost) {}

  private static LockStoreException failure(Kind kind) {
    return new LockStoreException(kind, "of the test's");
  }

  private <T> CompletionStage<T> request(String what, Supplier<T> execution) {
    if (flaw == Flaw.FAILS) {
      return CompletableFuture.failedFuture(failure(Kind.REFUSED));
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    messages.add(
        new Message(
            what,
            () -> answer.complete(execution.get()),
            () -> {
              T result = execution.get();
              messages.add(
                  new Message(
                      "answer to " + what,
                      () -> answer.complete(result),
                      null,
                      () -> answer.completeExceptionally(failure(Kind.TIMED_OUT))));
            },
            () -> answer.completeExceptionally(failure(Kind.UNREACHABLE))));
    return answer;
  }

  private void tell(String what, Runnable message) {
    messages.add(new Message(what, message, null, () -> {}));
  }

  private void wake(String name, String token) {
    watches.forEach(
        (key, wakeUp) -> {
          boolean fair = guarantees.contains(Guarantee.FAIR);
          if (key.name().equals(name) && (!fair || key.token().equals(token))) {
            tell("wake", wakeUp);
          }
        });
  }

  /** The messages on their way. */
  List<Message> messages() {
    return messages;
  }

  /** Lets one of them end as one of its actions says. */
  void ends(Message message, Runnable how) {
    messages.remove(message);
    how.run();
  }

  EveryOrderLock lock(String name) {
    return Objects.requireNonNull(locks.get(name), name);
  }

  private EveryOrderLock lock(LeaseKey key) {
    return lock(key.name());
  }

  /** What is left of the clients; empty if nothing. */
  String leftovers() {
    StringBuilder all = new StringBuilder();
    locks.values().forEach(lock -> all.append(lock.leftovers()));
    return all.append(watches.isEmpty() ? "" : "watches " + watches.keySet() + " ")
        .append(recalls.isEmpty() ? "" : "recalls " + recalls.keySet() + " ")
        .append(messages.isEmpty() ? "" : "messages " + messages.size())
        .toString();
  }

  // ---- the store ----

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return request("acquire", () -> recalling(request, lock(request.key()).ask(request)));
  }

  /** As the scripts do, for a caller whose own lease can be recalled. */
  private AcquireResult recalling(AcquireRequest request, AcquireResult result) {
    if (!(result instanceof AcquireResult.Held held)
        || held.recallable().isEmpty()
        || !request.key().token().endsWith(EveryOrderLock.RECALLABLE)) {
      return result;
    }
    Runnable recalled = recalls.get(new LeaseKey(request.key().name(), held.recallable().get()));
    if (recalled == null) {
      return held;
    }
    tell("recall", recalled);
    return held.asRecalled();
  }

  @Override
  public boolean takesTogether(List<String> names) {
    return guarantees.contains(Guarantee.TOGETHER);
  }

  @Override
  public CompletionStage<Answer> acquireAll(List<AcquireRequest> requests, List<LeaseKey> beside) {
    return request("acquire all", () -> takeAll(requests, beside));
  }

  private Answer takeAll(List<AcquireRequest> requests, List<LeaseKey> beside) {
    Map<Integer, Held> held = new HashMap<>();
    long fence = 0;
    for (int i = 0; i < requests.size() + beside.size(); i++) {
      boolean asked = i < requests.size();
      LeaseKey key = asked ? requests.get(i).key() : beside.get(i - requests.size());
      EveryOrderLock lock = lock(key);
      if (asked ? !lock.grants(key.token()) : !lock.has(key.token())) {
        held.put(i, lock.held());
      }
      fence = Math.max(fence, lock.fence());
    }
    if (!held.isEmpty()) {
      return new Answer.Refused(held);
    }
    long next = fence + 1;
    Duration ttl = requests.get(0).ttl();
    requests.forEach(one -> lock(one.key()).take(one.key().token(), ttl, next));
    beside.forEach(key -> lock(key).take(key.token(), Duration.ZERO, next));
    return new Answer.Granted(OptionalLong.of(next), ttl);
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return batch.stream().map(this::renew).toList();
  }

  private CompletionStage<RenewResult> renew(RenewRequest request) {
    LeaseKey key = request.key();
    return request(
        "renew",
        () ->
            lock(key).renew(key.token(), request.ttl())
                ? RenewResult.RENEWED
                : RenewResult.NOT_OWNER);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return request("release", () -> lock(lease).release(lease.token()));
  }

  @Override
  public CompletionStage<?> leave(LeaseKey waiter) {
    return request("leave", () -> lock(waiter).leave(waiter.token()));
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
    messages.add(new Message("watch", listens, null, fails));
    return answer;
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
    return new LeaseKey(fresh.name(), fresh.token() + EveryOrderLock.RECALLABLE);
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
