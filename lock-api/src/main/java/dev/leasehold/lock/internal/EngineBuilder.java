package dev.leasehold.lock.internal;

import dev.leasehold.lock.AbandonedHolds;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.NodeEvent;
import dev.leasehold.lock.internal.calls.BackgroundReleases;
import dev.leasehold.lock.internal.calls.CallerThreads;
import dev.leasehold.lock.internal.calls.EngineConfig;
import dev.leasehold.lock.internal.calls.Lingering;
import dev.leasehold.lock.internal.calls.LockNames;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.StoreContract;
import dev.leasehold.lock.internal.calls.StoreHealth;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.calls.Tokens;
import dev.leasehold.lock.internal.events.EngineLog;
import dev.leasehold.lock.internal.events.Events;
import dev.leasehold.lock.internal.lease.Renewals;
import dev.leasehold.lock.internal.lease.Watchdog;
import dev.leasehold.lock.internal.name.KindServices;
import dev.leasehold.lock.internal.name.Sharing;
import dev.leasehold.lock.internal.threads.Alarms;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Outbox;
import dev.leasehold.lock.internal.threads.Reclaimer;
import dev.leasehold.lock.internal.threads.Threads;
import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.CallersCall;
import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Ticker;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Builds an engine; defaults and ranges are in {@link EngineLimits}. */
public final class EngineBuilder implements LockManager.Builder {
  private final LeaseStore store;
  private final List<LockListener> listeners = new ArrayList<>();
  private LockOptions defaults = LockOptions.defaults();
  private LeaseRenewer renewer = new Watchdog();
  private Ticker ticker = Ticker.system();
  private boolean givenTime;
  private @Nullable Scheduler scheduler;
  private @Nullable Executor executor;
  private @Nullable Executor workers;
  private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
  private RandomGenerator tokenRandom = new SecureRandom();
  private String label = Label.byDefault();
  private Duration commandTimeout = EngineLimits.DEFAULT_COMMAND_TIMEOUT;
  private Duration storeTimeout = EngineLimits.DEFAULT_STORE_TIMEOUT;
  private AbandonedHolds abandoned = AbandonedHolds.KEEP;
  private boolean recordsAcquisitions;
  private Duration closeGrace = EngineLimits.DEFAULT_CLOSE_GRACE;
  private Duration linger = Duration.ZERO;

  /** A builder over a store. */
  public EngineBuilder(LeaseStore store) {
    this.store = Objects.requireNonNull(store, "store");
  }

  @Override
  public EngineBuilder defaults(LockOptions options) {
    this.defaults = Objects.requireNonNull(options, "options");
    return this;
  }

  @Override
  public EngineBuilder renewer(LeaseRenewer renewer) {
    this.renewer = Objects.requireNonNull(renewer, "renewer");
    return this;
  }

  @Override
  public EngineBuilder ticker(Ticker ticker) {
    this.ticker = Objects.requireNonNull(ticker, "ticker");
    givenTime = true;
    return this;
  }

  @Override
  public EngineBuilder scheduler(Scheduler scheduler) {
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    return this;
  }

  @Override
  public EngineBuilder executor(Executor executor) {
    this.executor = Objects.requireNonNull(executor, "executor");
    return this;
  }

  @Override
  public EngineBuilder workers(Executor workers) {
    this.workers = Objects.requireNonNull(workers, "workers");
    return this;
  }

  @Override
  public EngineBuilder random(RandomGenerator random) {
    this.random = Objects.requireNonNull(random, "random");
    return this;
  }

  @Override
  public EngineBuilder tokenRandom(RandomGenerator random) {
    this.tokenRandom = Objects.requireNonNull(random, "random");
    return this;
  }

  @Override
  public EngineBuilder listener(LockListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
    return this;
  }

  @Override
  public EngineBuilder label(String label) {
    this.label = Label.check(label);
    return this;
  }

  @Override
  public EngineBuilder commandTimeout(Duration timeout) {
    this.commandTimeout =
        LockNames.checkRange(
            "command time-out",
            timeout,
            EngineLimits.SHORTEST_TIMEOUT,
            EngineLimits.LONGEST_COMMAND_TIMEOUT);
    return this;
  }

  @Override
  public EngineBuilder storeTimeout(Duration timeout) {
    this.storeTimeout =
        LockNames.checkRange(
            "store time-out",
            timeout,
            EngineLimits.SHORTEST_TIMEOUT,
            EngineLimits.LONGEST_STORE_TIMEOUT);
    return this;
  }

  @Override
  public EngineBuilder closeGrace(Duration grace) {
    this.closeGrace =
        LockNames.checkRange("close grace", grace, Duration.ZERO, EngineLimits.LONGEST_CLOSE_GRACE);
    return this;
  }

  @Override
  public EngineBuilder linger(Duration linger) {
    this.linger =
        LockNames.checkRange("linger", linger, Duration.ZERO, EngineLimits.LONGEST_LINGER);
    return this;
  }

  @Override
  public EngineBuilder abandoned(AbandonedHolds what) {
    this.abandoned = Objects.requireNonNull(what, "what");
    return this;
  }

  @Override
  public EngineBuilder recordAcquisitions() {
    this.recordsAcquisitions = true;
    return this;
  }

  @Override
  public LockManager build() {
    Threads threads = null;
    try {
      threads = new Threads(label, scheduler, givenTime, workers, executor);
      return build(threads);
    } catch (RuntimeException | Error e) {
      Engine.closeQuietly(store);
      if (threads != null) {
        threads.close();
      }
      throw e;
    }
  }

  private LockManager build(Threads threads) {
    Events events = new Events(listeners, threads.callbacks, ticker, threads.scheduler);
    CallerThreads callers = new CallerThreads(threads.timeouts, ticker, commandTimeout);
    store.start(new Lent(ticker, threads, callers, random, label, commandTimeout, events));
    Lifecycle lifecycle = new Lifecycle();
    EngineLog log = new EngineLog(events, ticker, threads.scheduler, label);
    StoreCalls calls =
        new StoreCalls(
            store, threads.timeouts, ticker, events, log, lifecycle, callers, commandTimeout);
    Renewals renewals = new Renewals(renewer, calls, lifecycle, ticker, threads, random);
    renewals.start();
    Set<Guarantee> guarantees = guarantees();
    StoreContract.checkMinimumHold(defaults, store, guarantees);
    StoreOperations operations =
        new StoreOperations(
            LockKind.LOCK,
            store,
            calls,
            new BackgroundReleases(ticker, threads.scheduler),
            new Tokens(label, tokenRandom),
            Lingering.of(linger, store, guarantees));
    Timing time =
        new Timing(ticker, new Alarms(threads.deadlines, ticker), threads.scheduler, random);
    KindServices services =
        new KindServices(
            operations,
            store,
            guarantees,
            Sharing.ONE,
            new EngineConfig(
                defaults, commandTimeout, storeTimeout, closeGrace, abandoned, recordsAcquisitions),
            time,
            events,
            log,
            lifecycle,
            new Outbox(lifecycle, threads.workers),
            new Reclaimer(threads.scheduler),
            new StoreHealth(time));
    return new Engine(services, renewals, threads);
  }

  private Set<Guarantee> guarantees() {
    EnumSet<Guarantee> all = EnumSet.of(Guarantee.REENTRANT, Guarantee.RENEWAL);
    all.addAll(StoreContract.guarantees(store));
    return Collections.unmodifiableSet(all);
  }

  private record Lent(
      Ticker ticker,
      Threads threads,
      CallerThreads callers,
      RandomGenerator random,
      String label,
      Duration commandTimeout,
      Events events)
      implements StoreContext {
    @Override
    public Scheduler scheduler() {
      return threads.scheduler;
    }

    @Override
    public Executor blockingExecutor() {
      return threads.blocking;
    }

    @Override
    public boolean byCaller(CallersCall call) {
      return callers.take(call);
    }

    @Override
    public Executor executor() {
      return threads.blocking;
    }

    @Override
    public void tell(NodeEvent event) {
      events.tell(event);
    }
  }
}
