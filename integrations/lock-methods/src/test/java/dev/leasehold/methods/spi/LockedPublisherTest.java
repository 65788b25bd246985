package dev.leasehold.methods.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.AcquisitionListener;
import dev.leasehold.lock.AcquisitionResult;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockTimeoutException;
import dev.leasehold.methods.CurrentLease;
import dev.leasehold.methods.Locked;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

@DisplayName("A @Locked method that returns a Mono or a Flux holds the lock until that ends")
class LockedPublisherTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final OneStore store = new OneStore();
  private final LockManager locks =
      LockManager.over(store).closeGrace(Duration.ofMillis(50)).listener(new Waits()).build();
  private final Work work = new Work();
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();

  /** How many had to wait, whatever became of them. */
  private final AtomicInteger waited = new AtomicInteger();

  private final class Waits implements LockListener {
    @Override
    public void on(LockEvent event) {}

    @Override
    public Optional<AcquisitionListener> asked(LockKind kind, String lockName) {
      return Optional.of(
          new AcquisitionListener() {
            @Override
            public void decided(AcquisitionResult result) {
              waited.addAndGet(result.contended() ? 1 : 0);
            }
          });
    }
  }

  @AfterEach
  void close() {
    locks.close();
  }

  /** Methods as applications have them. */
  class Work {
    final List<Long> tokens = new CopyOnWriteArrayList<>();
    final Sinks.One<String> one = Sinks.one();
    final Sinks.Many<String> many = Sinks.many().unicast().onBackpressureBuffer();
    final AtomicInteger cancelled = new AtomicInteger();

    @Locked(name = "work")
    Mono<String> one(@CurrentLease Lease lease) {
      tokens.add(lease.fencingToken());
      return one.asMono().doOnCancel(cancelled::incrementAndGet);
    }

    @Locked(name = "work")
    Flux<String> many() {
      assertTrue(store.isHeld(), "the method runs under the lock");
      return many.asFlux().doOnCancel(cancelled::incrementAndGet);
    }

    @Locked(name = "work", waitFor = "0s")
    Mono<String> impatient() {
      throw new AssertionError("it ran");
    }

    @Locked(name = "work")
    Mono<String> failing() throws Exception {
      throw new java.io.IOException("no");
    }

    @Locked(name = "work")
    Mono<String> brokenMono() {
      throw new NoClassDefFoundError("gone/Missing");
    }

    @Locked(name = "work")
    Flux<String> brokenFlux() {
      throw new NoClassDefFoundError("gone/Missing");
    }

    @Locked(name = "work")
    Mono<String> brokenWithin() {
      return Mono.fromCallable(Work::missing);
    }

    @Locked(name = "work")
    Mono<String> brokenAtOnce() {
      return Mono.from(subscriber -> missing());
    }

    @Locked(name = "work")
    Flux<String> brokenInBetween() {
      return Flux.just("a", "b").map(each -> each.equals("a") ? each : missing());
    }

    private static String missing() {
      throw new NoClassDefFoundError("gone/Missing");
    }

    @Locked(name = "work")
    Mono<String> nothing() {
      return Mono.fromRunnable(() -> assertTrue(store.isHeld()));
    }
  }

  /** A call as a framework has it, whose arguments are its own for each run. */
  private final class Call implements MethodCall {
    private final Method method;
    private final Object[] arguments;

    Call(Method method) {
      this.method = method;
      this.arguments = new Object[method.getParameterCount()];
    }

    @Override
    public Object[] arguments() {
      return arguments;
    }

    @Override
    public Object proceed() throws Throwable {
      runs.incrementAndGet();
      try {
        return method.invoke(work, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    @Override
    public MethodCall again() {
      return new Call(method);
    }

    @Override
    public void ended() {
      ended.incrementAndGet();
    }
  }

  private Object call(String name, LockOptions options) {
    Method method =
        List.of(Work.class.getDeclaredMethods()).stream()
            .filter(each -> each.getName().equals(name))
            .findFirst()
            .orElseThrow();
    List<String> problems = new ArrayList<>();
    MethodLock lock =
        MethodLock.of(MemberTypes.of(Work.class), method, () -> "a test", problems)
            .orElseThrow(() -> new AssertionError(problems))
            .on(() -> locks, () -> options);
    try {
      return lock.call(new Call(method));
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @SuppressWarnings("unchecked")
  private Mono<String> mono(String name) {
    return (Mono<String>) call(name, LockOptions.defaults());
  }

  @SuppressWarnings("unchecked")
  private Flux<String> flux(LockOptions options) {
    return (Flux<String>) call("many", options);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + LONG.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "it did not come to pass");
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName(
      "Nothing happens before it is subscribed to; each subscriber acquires the lock for"
          + " itself")
  void subscriptions() throws Exception {
    Mono<String> locked = mono("one");
    assertEquals(0, runs.get() + store.grants());
    CompletableFuture<String> first = locked.toFuture();
    CompletableFuture<String> second = locked.toFuture();
    await(() -> runs.get() == 1);
    assertTrue(store.isHeld());
    work.one.tryEmitValue("done");
    assertEquals("done", first.get(20, TimeUnit.SECONDS));
    assertEquals("done", second.get(20, TimeUnit.SECONDS));
    assertEquals(2, runs.get());
    await(() -> waited.get() == 1);
    assertEquals(2, work.tokens.stream().distinct().count());
    assertTrue(work.tokens.get(0) < work.tokens.get(1));
    await(() -> ended.get() == 2);
    assertTrue(!store.isHeld());
  }

  @Test
  @DisplayName("A release before the end is reported: complete, empty, error")
  void ends() {
    Flux<String> locked = flux(LockOptions.defaults());
    List<Boolean> held = new CopyOnWriteArrayList<>();
    Flux<String> seen =
        locked
            .doOnNext(each -> held.add(store.isHeld()))
            .doOnComplete(() -> held.add(store.isHeld()));
    work.many.tryEmitNext("a");
    work.many.tryEmitNext("b");
    work.many.tryEmitComplete();
    assertEquals(List.of("a", "b"), seen.collectList().block(LONG));
    assertEquals(List.of(true, true, false), held);
    assertEquals(Optional.empty(), mono("nothing").blockOptional(LONG));
    assertTrue(!store.isHeld());
    Exception thrown = assertThrows(RuntimeException.class, () -> mono("failing").block(LONG));
    assertInstanceOf(java.io.IOException.class, thrown.getCause());
    assertTrue(!store.isHeld());
  }

  @Test
  @DisplayName("An Error of the method ends the stream, too, and gives the lock back")
  void error() {
    assertThrows(NoClassDefFoundError.class, () -> mono("brokenMono").block(LONG));
    assertTrue(!store.isHeld());
    Flux<?> broken = (Flux<?>) call("brokenFlux", LockOptions.defaults());
    assertThrows(NoClassDefFoundError.class, () -> broken.blockLast(LONG));
    assertEquals(2, store.grants());
    assertTrue(!store.isHeld());
  }

  /** Reactor reports no Error that it takes for fatal. */
  @ParameterizedTest
  @ValueSource(strings = {"brokenWithin", "brokenAtOnce", "brokenInBetween"})
  @DisplayName("So does an Error of the stream, where it is subscribed to or asked for elements")
  void errorWithin(String name) {
    Flux<?> broken = Flux.from((Publisher<?>) call(name, LockOptions.defaults()));
    assertThrows(NoClassDefFoundError.class, () -> broken.blockLast(LONG));
    assertEquals(1, store.grants());
    assertTrue(!store.isHeld());
    assertEquals(1, ended.get());
  }

  @Test
  @DisplayName("An Error of the subscriber gives it back, too, and cancels the stream")
  void errorOfTheSubscriber() {
    flux(LockOptions.defaults()).doOnNext(each -> Work.missing()).subscribe();
    await(() -> work.many.currentSubscriberCount() == 1);
    assertTrue(store.isHeld());
    try {
      work.many.tryEmitNext("a");
    } catch (NoClassDefFoundError told) {
      // The emitter gets it, or a request for elements on another thread, if there was none yet.
    }
    await(() -> !store.isHeld());
    assertEquals(1, work.cancelled.get());
    assertEquals(1, ended.get());
  }

  @Test
  @DisplayName("A cancelled waiter gives up the lock, or its place")
  void cancelled() throws Exception {
    Disposable holds = flux(LockOptions.defaults()).subscribe();
    await(() -> work.many.currentSubscriberCount() == 1);
    Disposable waits = mono("one").subscribe();
    waits.dispose();
    await(() -> ended.get() == 1);
    holds.dispose();
    await(() -> ended.get() == 2 && !store.isHeld());
    assertEquals(1, work.cancelled.get());
    await(() -> waited.get() == 1);
    assertEquals(1, runs.get());
    assertEquals(1, store.grants());
  }

  @Test
  @DisplayName("A caller that does not get it in time gets an error, and does not run")
  void late() throws Exception {
    try (Lease elsewhere = locks.lock("work").acquire()) {
      LockTimeoutException late =
          assertThrows(LockTimeoutException.class, () -> mono("impatient").block(LONG));
      assertTrue(String.valueOf(late.getMessage()).contains("was not called"), late::toString);
      assertTrue(elsewhere.isValid());
    }
  }

  @Test
  @DisplayName("A lease that is lost cancels the stream, which ends with that")
  void lost() throws Exception {
    CompletableFuture<?> all = flux(LockOptions.defaults()).collectList().toFuture();
    await(() -> work.many.currentSubscriberCount() == 1);
    checkLost(all);
  }

  @Test
  @DisplayName("A lease that is lost cancels the one value, which ends with that")
  void lostBeforeTheValue() throws Exception {
    CompletableFuture<?> value = mono("one").toFuture();
    await(() -> work.one.currentSubscriberCount() == 1);
    checkLost(value);
  }

  private void checkLost(CompletableFuture<?> stream) {
    locks.close();
    Exception failed = assertThrows(Exception.class, () -> stream.get(20, TimeUnit.SECONDS));
    LeaseLostException lost = assertInstanceOf(LeaseLostException.class, failed.getCause());
    assertEquals(LeaseLoss.Reason.CLOSED, lost.loss().reason());
    assertEquals(1, work.cancelled.get());
    await(() -> ended.get() == 1);
  }
}
