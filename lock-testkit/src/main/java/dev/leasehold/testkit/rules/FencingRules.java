package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.history.FencedResource;
import dev.leasehold.testkit.history.FencedResource.Outcome;
import dev.leasehold.testkit.server.ClockShim;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.server.ServerOptions;
import dev.leasehold.testkit.worker.Worker;
import dev.leasehold.testkit.worker.WorkerLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

final class FencingRules extends Steps {
  private static final Duration LEASE = TimeScale.millis(500);

  /** More than 2^53 microseconds and less than 2^63 nanoseconds. */
  private static final Duration FAR = Duration.ofDays(365 * 231);

  /** More than the microseconds of a second: a store may reserve fewer numbers. */
  private static final int MANY_NUMBERS = 2_000_000;

  /** For a store that reserves numbers up to at most a second ahead of its clock. */
  private static final Duration SURELY_AHEAD = Duration.ofMillis(500);

  /** The number of managers that have not seen a token yet. */
  private static final int COLD = 10;

  private static final Duration FAST_FOR = Duration.ofMillis(600);
  private static final Duration LATE = TimeScale.seconds(5);

  /** Acquires and releases the lock; returns its token. */
  private static long token(LockManager manager, String lockName) throws InterruptedException {
    try (Lease lease = manager.lock(lockName).acquire()) {
      return lease.fencingToken();
    }
  }

  private static long larger(long before, long after, String what) {
    Check.that(after > before, what + " has a larger token: " + after + " after " + before);
    return after;
  }

  // ---- FE-1 ----

  @Rule(value = "FE-1", shows = "owners, managers, expiry and a new client")
  void acrossOwners() throws Exception {
    Site site = site();
    LockManager first = site.open();
    LockManager second = site.open();
    long last = token(first, name);
    last = larger(last, token(second, name), "another manager's hold");
    last = larger(last, token(first, name), "the next hold");
    Lease lost = fixed(first, name, LEASE).acquire();
    last = larger(last, lost.fencingToken(), "a hold that will expire");
    last = larger(last, token(second, name), "the hold after an expiry");
    first.close();
    second.close();
    larger(last, token(site.open(), name), "a new client's hold");
  }

  @Rule(value = "FE-1", shows = "an inspection shows no larger token than the holder's")
  void inspected() throws Exception {
    LockManager looks = open();
    for (int i = 0; i < COLD; i++) {
      nextName();
      try (LockManager cold = open();
          Lease lease = cold.lock(name).acquire()) {
        long told = told(looks, name);
        Check.that(
            told <= lease.fencingToken(),
            "returned " + told + " for a lease with the token " + lease.fencingToken());
      }
    }
  }

  /** The token shown to other processes; {@link Long#MIN_VALUE} where none is shown. */
  private static long told(LockManager looks, String lockName) {
    return looks.lock(lockName).inspect().stream()
        .flatMapToLong(holder -> holder.fencingToken().stream())
        .findAny()
        .orElse(Long.MIN_VALUE);
  }

  @Rule(value = "FE-1", shows = "hand-over inside a process")
  void acrossHandOver() throws Exception {
    HandOverCount handOvers = new HandOverCount(this);
    LockManager one = handOvers.open();
    LockManager other = open();
    increasing(tokens(freshName(), List.of(one, one, one, one)));
    handOvers.awaitAny();
    increasing(tokens(freshName(), List.of(one, other, one, other)));
  }

  private static void increasing(List<Long> tokens) {
    for (int i = 1; i < tokens.size(); i++) {
      larger(tokens.get(i - 1), tokens.get(i), "hold " + i);
    }
  }

  /** The tokens in the order of the holds, with one contending thread per listed manager. */
  private List<Long> tokens(String lockName, List<LockManager> threads) {
    List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
    crowd(
        threads.size(),
        thread ->
            () -> {
              for (int i = 0; i < 50; i++) {
                try (Lease lease = threads.get(thread).lock(lockName).acquire()) {
                  tokens.add(lease.fencingToken());
                }
              }
              return thread;
            });
    return tokens;
  }

  @Rule(value = "FE-1", shows = "processes", needs = Need.PROCESSES)
  void acrossProcesses() throws Exception {
    LockManager here = open();
    Worker there = worker();
    long last = token(here, name);
    for (int i = 0; i < 3; i++) {
      WorkerLease lease = there.acquire(name, LockOptions.defaults());
      last = larger(last, lease.fencingToken().orElseThrow(), "the other process's hold");
      lease.release();
      last = larger(last, token(here, name), "this process's hold");
    }
  }

  // Catches a store that takes unused numbers back although later holders got some since.
  @Rule(value = "FE-1", shows = "a repeated release with unused numbers", needs = Need.STORE)
  void afterLateReturn() throws Exception {
    LeaseStore store = store();
    untilOneCounts(() -> laterTokensAreLarger(store));
  }

  /** False if it took so long that the clock alone made the last token larger. */
  private boolean laterTokensAreLarger(LeaseStore store) {
    nextName();
    LeaseKey first = key(name);
    LeaseKey second = key(name);
    LeaseKey third = key(name);
    Granted before = granted(store, first);
    giveBack(store, first, before);
    long begun = System.nanoTime();
    Granted meanwhile = granted(store, second);
    long last = meanwhile.fence().orElseThrow() + meanwhile.handOvers();
    Await.value(store.release(second)); // all numbers are used
    giveBack(store, first, before);
    Granted next = granted(store, third);
    long took = System.nanoTime() - begun;
    Await.value(store.release(third));
    larger(last, next.fence().orElseThrow(), "the hold after a release that came again");
    return took < SURELY_AHEAD.toNanos();
  }

  /** Releases a hold that was not handed over. */
  private static void giveBack(LeaseStore store, LeaseKey key, Granted granted) {
    long used = granted.fence().orElseThrow();
    Await.value(
        granted.handOvers() == 0
            ? store.release(key)
            : store.release(key, new FenceRun(used, used + granted.handOvers())));
  }

  /** Retries, since a release may take a moment to reach all nodes. */
  private static Granted granted(LeaseStore store, LeaseKey key) {
    AcquireRequest request =
        new AcquireRequest(key, LONG, IfHeld.REFUSE).withHandOvers(MANY_NUMBERS);
    List<Granted> found = new ArrayList<>();
    Await.until(
        "the lock can be had",
        () -> {
          if (Await.value(store.acquire(request)) instanceof Granted granted) {
            found.add(granted);
          }
          return !found.isEmpty();
        });
    return found.get(0);
  }

  /** A token has at most 64 bits; microseconds in it leave room for some centuries. */
  @Rule(
      value = "FE-1",
      shows = "a server's clock that is far away",
      needs = {Need.OPTIONS, Need.CLOCK})
  void acrossFarClock() {
    ClockShim clock = ClockShim.available().orElseThrow();
    Site site = bench.ownSite(ServerOptions.defaults().withClock(clock));
    LockManager manager = site.open();
    long last = tokenOf(manager);
    Check.that(last > 0, "the lock can be had");
    clock.jump(FAR);
    for (int i = 0; i < 3; i++) {
      long far = tokenOf(manager);
      // The lock need not be available with such a clock.
      last = far == 0 ? last : larger(last, far, "the hold in a far year");
    }
    clock.jump(FAR.negated());
    larger(last, tokenAgain(manager, LATE), "the hold when the clock is right again");
  }

  // ---- FE-2 ----

  @Rule(value = "FE-2", shows = "a flushed server", needs = Need.OPTIONS)
  void afterFlush() throws Exception {
    Site site = ownSite();
    LockManager manager = site.open();
    long last = token(manager, name);
    for (int i = 0; i < 3; i++) {
      site.redis().call("FLUSHALL");
      last = larger(last, token(manager, name), "the hold after FLUSHALL");
    }
    Lease held = manager.lock(name).acquire();
    site.redis().call("FLUSHALL");
    larger(held.fencingToken(), token(site.open(), name), "the hold acquired in between");
  }

  @Rule(value = "FE-2", shows = "a server flushed after many hand-overs", needs = Need.OPTIONS)
  void afterHandOvers() throws Exception {
    Site site = ownSite();
    HandOverCount handOvers = new HandOverCount(this);
    LockManager manager = site.open(builder -> builder.listener(handOvers));
    List<Long> before = tokens(name, List.of(manager, manager, manager));
    handOvers.awaitAny();
    site.redis().call("FLUSHALL");
    larger(Collections.max(before), token(manager, name), "the hold after FLUSHALL");
  }

  @Rule(value = "FE-2", shows = "a fast client's tokens, and short leases", needs = Need.OPTIONS)
  void afterFastClient() {
    // Servers that stop voting after a loss of data do so for as long as the longest lease.
    Site site = bench.ownSite(backend().longestLease(LEASE), ServerOptions.defaults());
    long begun = System.nanoTime();
    LockManager fast =
        site.open(builder -> builder.ticker(() -> begun + 4 * (System.nanoTime() - begun)));
    long last = 0;
    // Long enough for a client that derives tokens from its own clock to be a second ahead.
    while (last == 0 || since(begun).compareTo(FAST_FOR) < 0) {
      last = Math.max(last, tokenOf(fast));
    }
    // No operator readmits a quorum's servers to vote.
    List<RedisServer> servers =
        site.redis() instanceof ServerGroup ? servers(site) : List.of(site.redis());
    servers.forEach(server -> server.call("FLUSHALL"));
    larger(last, tokenAgain(site.open(), LATE.multipliedBy(4)), "the hold after FLUSHALL");
  }

  /** Acquires and releases the lock; returns its token, or zero if it is not available now. */
  private long tokenOf(LockManager manager) {
    try (Lease lease = fixed(manager, name, LEASE).tryAcquire().orElse(null)) {
      return lease == null ? 0 : lease.fencingToken();
    } catch (LockException notNow) {
      return 0;
    }
  }

  /** The token of the next hold, which may not be available at once. */
  private long tokenAgain(LockManager manager, Duration atMost) {
    AtomicLong token = new AtomicLong();
    Await.until(
        "the lock can be had again",
        atMost,
        () -> {
          token.set(tokenOf(manager));
          return token.get() != 0;
        });
    return token.get();
  }

  @Rule(
      value = "FE-2",
      shows = "a restart without data",
      needs = {Need.KILL})
  void afterRestart() throws Exception {
    Site site = ownSite();
    long last = token(site.open(), name);
    site.server().restart();
    larger(last, token(site.open(), name), "the hold after a restart without data");
  }

  // ---- FE-3 ----

  @Rule(value = "FE-3", needs = Need.PROCESSES)
  void pausedHolderIsRefused() throws Exception {
    FencedResource resource = FencedResource.fenced();
    Worker there = worker();
    LockManager here = open();
    WorkerLease stale = there.acquire(name, LockOptions.fixed(LEASE));
    long staleToken = stale.fencingToken().orElseThrow();
    Check.equal(Outcome.ACCEPTED, resource.write(staleToken), "the holder's first write");
    there.pause();
    Lease next = here.lock(name).tryAcquire(ended(LEASE).plus(LATE)).orElseThrow();
    Check.equal(Outcome.ACCEPTED, resource.write(next.fencingToken()), "the successor's write");
    there.resume();
    // The resource knows nothing yet. The late holder resumes and writes with its old token.
    Check.equal(Outcome.REJECTED, resource.write(staleToken), "the late holder's write");
    Check.equal(Outcome.ACCEPTED, resource.write(next.fencingToken()), "the successor's next");
    next.release();
    // The twin: a resource that does not check tokens accepts the late write.
    FencedResource careless = FencedResource.unfenced();
    careless.write(next.fencingToken());
    Check.equal(Outcome.ACCEPTED, careless.write(staleToken), "a late write without fencing");
  }

  // ---- FE-4 ----

  @Rule("FE-4")
  void doublesCarryThem() throws Exception {
    HandOverCount handOvers = new HandOverCount(this);
    LockManager manager = handOvers.open();
    for (long token : tokens(name, List.of(manager, manager))) {
      carried(token);
    }
    handOvers.awaitAny();
    try (Lease lease = manager.lock(name).acquire()) {
      carried(lease.fencingToken());
      manager
          .lock(name)
          .inspect()
          .flatMap(holder -> holder.fencingToken().stream().boxed().findFirst())
          .ifPresent(FencingRules::carried);
    }
  }

  private static void carried(long token) {
    Check.that(
        token >= 0 && token <= AcquireResult.MOST_FENCE && (double) token != (double) (token + 1),
        "a double distinguishes the token " + token + " from the next one");
  }
}
