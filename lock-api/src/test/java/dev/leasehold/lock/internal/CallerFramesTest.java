package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LatchExpiredException;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.LockTimeoutException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Ticker;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(20)
@DisplayName("An exception in a blocking call reaches the caller, also from another thread")
class CallerFramesTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final Elsewhere store = new Elsewhere();
  private final LockManager locks =
      LockManager.over(store).closeGrace(Duration.ofMillis(20)).build();
  private final DistributedLock lock = locks.lock("a", LockOptions.fixed(LONG));

  @AfterEach
  void close() {
    store.failure = null;
    locks.close();
  }

  /** A store that fails on a thread of its own. */
  private static final class Elsewhere implements LeaseStore {
    final MapStore map = new MapStore(Ticker.system());
    volatile @Nullable Supplier<LockException> failure;
    volatile boolean failsHere;

    private <T> CompletionStage<T> answer(Supplier<CompletionStage<T>> work) {
      Supplier<LockException> fails = failure;
      if (fails == null) {
        return work.get();
      }
      if (failsHere) {
        throw fails.get();
      }
      CompletableFuture<T> answer = new CompletableFuture<>();
      new Thread(() -> answer.completeExceptionally(fails.get()), "elsewhere").start();
      return answer;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      return answer(() -> map.acquire(request));
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      return batch.stream().map(one -> answer(() -> map.renew(List.of(one)).get(0))).toList();
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      return answer(() -> map.release(lease));
    }

    @Override
    public CompletionStage<Optional<StoredLease>> inspect(String name) {
      return answer(() -> map.inspect(name));
    }

    @Override
    public Set<Guarantee> guarantees() {
      return Set.of(Guarantee.OWNED);
    }

    @Override
    public void close() {
      map.close();
    }
  }

  static Stream<LockException> failures() {
    Throwable cause = new IllegalStateException("the client's own");
    return Stream.of(
        new LockStoreException(Kind.REFUSED, "no"),
        new LockStoreException(Kind.REFUSED, "no", cause),
        new LockConfigurationException("no"),
        new LockConfigurationException("no", cause),
        new LockTimeoutException("no"),
        new LockTimeoutException("no", cause),
        new LockManagerClosedException("no"),
        new LockManagerClosedException("no", cause),
        new LatchExpiredException("no"),
        new LeaseLostException(
            new LeaseLoss(LockKind.LOCK, "a", LeaseLoss.Reason.NOT_OWNER, "gone")));
  }

  @Test
  @DisplayName("and from another JVM, as by RMI or a job queue")
  void serialized() throws Exception {
    for (LockException failure : failures().toList()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(failure);
      }
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        Object read = in.readObject();
        assertEquals(failure.toString(), read.toString());
        if (failure instanceof LeaseLostException lost) {
          assertEquals(lost.loss(), ((LeaseLostException) read).loss());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("failures")
  @DisplayName("every kind of failure, from every call")
  void everyKind(LockException failure) throws Exception {
    StackTraceElement origin = new StackTraceElement("Client", "read", "Client.java", 7);
    failure.setStackTrace(new StackTraceElement[] {origin});
    failure.addSuppressed(new IllegalStateException("beside it"));
    Lease held = locks.lock("held", LockOptions.fixed(LONG)).acquire();
    Lease another = locks.lock("another", LockOptions.fixed(LONG)).acquire();
    Lock view = locks.lock("view", LockOptions.fixed(LONG)).asLock();
    view.lock();
    store.failure = () -> failure;
    List<Executable> calls =
        List.of(
            lock::acquire,
            lock::tryAcquire,
            () -> lock.tryAcquire(Duration.ofSeconds(5)),
            lock::inspect,
            () -> lock.asLock().lock(),
            () -> lock.asLock().tryLock(),
            () -> lock.asLock().lockInterruptibly(),
            () -> held.extend(LONG.multipliedBy(2)),
            another::release);
    for (Executable call : calls) {
      LockException thrown = assertThrows(failure.getClass(), call);
      assertNotSame(failure, thrown, "each caller has its own");
      assertEquals(failure.getMessage(), thrown.getMessage());
      assertSame(failure.getCause(), thrown.getCause());
      assertEquals(List.of(failure.getSuppressed()), List.of(thrown.getSuppressed()));
      assertEquals(origin, thrown.getStackTrace()[0], "where it came about comes first");
      assertTellsWhoCalled(thrown, "everyKind");
    }
    assertEquals(1, failure.getStackTrace().length, "the original is as it was");
    assertTellsWhoCalled(assertThrows(RuntimeException.class, view::unlock), "everyKind");
  }

  private static void assertTellsWhoCalled(Throwable thrown, String method) {
    long callers =
        Stream.of(thrown.getStackTrace())
            .filter(frame -> frame.getClassName().equals(CallerFramesTest.class.getName()))
            .filter(frame -> frame.getMethodName().equals(method))
            .count();
    assertEquals(1, callers, () -> method + " in " + List.of(thrown.getStackTrace()));
  }

  @Test
  @DisplayName("a manager that is closed while a thread waits")
  void closed() throws Exception {
    lock.as(LockOwner.unique("other")).acquire();
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread waiting = new Thread(() -> thrown.complete(waitInVain()), "waits");
    waiting.start();
    Spin.until(() -> waiting.getState() == Thread.State.WAITING);
    locks.close();
    LockManagerClosedException closed = (LockManagerClosedException) thrown.get();
    assertTellsWhoCalled(closed, "waitInVain");
  }

  private Throwable waitInVain() {
    return assertThrows(LockException.class, lock::acquire);
  }

  @Test
  @DisplayName(
      "a lost lease, and a failure in the caller's own thread, which is passed on" + " unchanged")
  void ownThread() throws Exception {
    Lease lease = lock.acquire();
    store.map.forget();
    assertTellsWhoCalled(assertThrows(LeaseLostException.class, lease::release), "ownThread");
    AtomicReference<LockException> made = new AtomicReference<>();
    store.failsHere = true;
    store.failure =
        () -> {
          made.set(new LockStoreException(Kind.REFUSED, "here"));
          return made.get();
        };
    LockStoreException thrown = assertThrows(LockStoreException.class, lock::tryAcquire);
    assertSame(made.get(), thrown);
    assertTellsWhoCalled(thrown, "ownThread");
  }
}
