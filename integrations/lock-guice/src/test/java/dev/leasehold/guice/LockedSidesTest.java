package dev.leasehold.guice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.inject.AbstractModule;
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.typesafe.config.ConfigFactory;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockTimeoutException;
import dev.leasehold.methods.CurrentLease;
import dev.leasehold.methods.LockMode;
import dev.leasehold.methods.Locked;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.TestThreads;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

@DisplayName("@Locked(mode = ...): methods that read beside one another, and that write alone")
class LockedSidesTest {
  private static TwoApps apps;
  private static Catalogue catalogue;

  /** Another application: a manager of its own on the same server. */
  private static LockManager others;

  @BeforeAll
  static void start() {
    apps =
        new TwoApps(
            """
            lock {
              redis.uri = "%1$s", lease = 20s, at-least = 1ms, command-timeout = 20s
              locks.sided { kind = read-write, lease = 10s }
              locks.minimal { at-least = 1m }
              locks.exports { kind = semaphore, permits = 2 }
              locks.loaded { kind = latch }
            }
            other-lock { redis.uri = "%1$s", label = others, command-timeout = 20s }
            """);
    catalogue = apps.injector.getInstance(Catalogue.class);
    others = apps.others;
  }

  @AfterAll
  static void stop() {
    apps.close();
  }

  static class Catalogue {
    @Locked(name = "catalogue:{0}", mode = LockMode.READ, waitFor = "0s")
    <T> T look(String part, Callable<T> work) throws Exception {
      return work.call();
    }

    @Locked(name = "catalogue:{0}", mode = LockMode.WRITE, waitFor = "0s")
    <T> T change(String part, Callable<T> work) throws Exception {
      return work.call();
    }

    /** The twin of {@link #look}, which takes the lock alone. */
    @Locked(name = "catalogue:{0}", waitFor = "0s")
    <T> T lookAlone(String part, Callable<T> work) throws Exception {
      return work.call();
    }

    @Locked(name = "catalogue:{0}", mode = LockMode.READ, options = "sided")
    Duration briefly(String part, @CurrentLease @Nullable Lease lease) {
      return lease.remaining();
    }

    @Locked(name = "catalogue:{0}", mode = LockMode.READ)
    <T> CompletionStage<T> lookLater(String part, CompletionStage<T> until) {
      return until;
    }

    @Locked(name = "catalogue:{0}", mode = LockMode.WRITE)
    <T> CompletionStage<T> changeLater(String part, CompletionStage<T> until) {
      return until;
    }

    @Locked(name = "catalogue:{0}", mode = LockMode.READ)
    <T> Mono<T> looking(String part, Mono<T> work) {
      return work;
    }

    @Locked(name = "catalogue:{0}", mode = LockMode.WRITE)
    <T> Flux<T> changing(String part, Flux<T> work) {
      return work;
    }
  }

  /** Whether another owner gets a lock now. */
  private static boolean free(DistributedLock theirs) {
    Optional<Lease> lease = theirs.tryAcquire();
    lease.ifPresent(Lease::release);
    return lease.isPresent();
  }

  private static boolean readable(String part) {
    return free(others.readWriteLock("catalogue:" + part).read());
  }

  private static boolean writable(String part) {
    return free(others.readWriteLock("catalogue:" + part).write());
  }

  private interface Locking {
    String under(String part, Callable<String> work) throws Exception;
  }

  /** What becomes of further calls, each in a thread of its own, while one is in a method. */
  private static String meanwhile(String part, Locking first, Locking second) throws Exception {
    Callable<String> comes =
        () -> {
          try {
            return second.under(part, () -> "beside");
          } catch (LockTimeoutException late) {
            return "refused";
          }
        };
    return first.under(part, () -> Await.value(TestThreads.onThread(comes)));
  }

  @Test
  @DisplayName("Readers run concurrently, a writer alone; with the plain lock all run alone")
  void sides() throws Exception {
    assertEquals("beside", meanwhile("a", catalogue::look, catalogue::look));
    assertEquals("refused", meanwhile("a", catalogue::look, catalogue::change));
    assertEquals("refused", meanwhile("a", catalogue::change, catalogue::look));
    assertEquals("refused", meanwhile("a", catalogue::change, catalogue::change));
    assertEquals("beside", meanwhile("a", catalogue::look, catalogue::lookAlone), "a stranger");
    // Of another name, since the plain lock has the manager's minimum hold.
    assertEquals("refused", meanwhile("g", catalogue::lookAlone, catalogue::lookAlone), "the twin");
  }

  @Test
  @DisplayName("They are the sides of other processes' read/write lock, and are released")
  void bothSided() throws Exception {
    assertEquals("read", catalogue.look("b", () -> seen("b")));
    assertEquals("none", catalogue.change("b", () -> seen("b")));
    assertEquals("all", seen("b"));
    DistributedReadWriteLock theirs = others.readWriteLock("catalogue:b");
    try (Lease reading = theirs.read().acquire()) {
      assertTrue(reading.isValid());
      assertEquals("beside", catalogue.look("b", () -> "beside"));
      String late =
          assertThrows(LockTimeoutException.class, () -> catalogue.change("b", () -> "beside"))
              .getMessage();
      assertTrue(late.startsWith("the write lock 'catalogue:b' was not obtained"), late);
    }
    try (Lease writing = theirs.write().acquire()) {
      assertTrue(writing.isValid());
      String late =
          assertThrows(LockTimeoutException.class, () -> catalogue.look("b", () -> "beside"))
              .getMessage();
      assertTrue(late.startsWith("the read lock 'catalogue:b' was not obtained"), late);
    }
  }

  /** What others get of a part. */
  private static String seen(String part) {
    boolean readable = readable(part);
    return writable(part) ? "all" : readable ? "read" : "none";
  }

  @Test
  @DisplayName(
      "Each side re-enters, a writer may read, and a reader that wants to write is"
          + " refused at once")
  void reentry() throws Exception {
    String again =
        catalogue.change("c", () -> catalogue.change("c", () -> catalogue.look("c", () -> "in")));
    assertEquals("in", again);
    assertEquals("in", catalogue.look("c", () -> catalogue.look("c", () -> "in")));
    assertThrows(
        IllegalMonitorStateException.class,
        () -> catalogue.look("c", () -> catalogue.change("c", () -> "in")));
    assertEquals("all", seen("c"));
  }

  @Test
  @DisplayName("Options of a configured lock hold, and the manager's minimum does not")
  void options() {
    Duration left = catalogue.briefly("d", null);
    assertTrue(left.compareTo(Duration.ofSeconds(10)) <= 0, left::toString);
  }

  @Test
  @DisplayName("Stages hold their side until they complete")
  void stages() throws Exception {
    CompletableFuture<String> until = new CompletableFuture<>();
    CompletionStage<String> first = catalogue.lookLater("e", until);
    assertEquals("beside", Await.value(catalogue.lookLater("e", done("beside"))));
    assertEquals("read", seen("e"));
    CompletionStage<String> writer = catalogue.changeLater("e", done("alone"));
    assertTrue(!writer.toCompletableFuture().isDone(), "it waits for the reader");
    until.complete("read");
    assertEquals("read", Await.value(first));
    assertEquals("alone", Await.value(writer));
    assertEquals("all", seen("e"));
    CompletableFuture<String> written = new CompletableFuture<>();
    CompletionStage<String> second = catalogue.changeLater("e", written);
    Await.until("it writes", () -> seen("e").equals("none"));
    written.complete("written");
    assertEquals("written", Await.value(second));
    assertEquals("all", seen("e"));
  }

  private static <T> CompletableFuture<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }

  @Test
  @DisplayName("Mono and Flux hold their side until they end or are cancelled")
  void publishers() throws Exception {
    Sinks.One<String> until = Sinks.one();
    CompletableFuture<String> first = catalogue.looking("f", until.asMono()).toFuture();
    CompletableFuture<String> second = catalogue.looking("f", Mono.just("beside")).toFuture();
    assertEquals("beside", Await.value(second));
    assertEquals("read", seen("f"));
    CompletableFuture<List<String>> writer =
        catalogue.changing("f", Flux.just("a", "lone")).collectList().toFuture();
    assertTrue(!writer.isDone(), "it waits for the reader");
    until.tryEmitValue("read").orThrow();
    assertEquals("read", Await.value(first));
    assertEquals(List.of("a", "lone"), Await.value(writer));
    assertEquals("all", seen("f"));
    Flux<String> looksAround = Flux.defer(() -> Flux.just(seen("f")));
    assertEquals("none", Await.value(catalogue.changing("f", looksAround).next().toFuture()));
    Await.until("it is given back, cancelled by next()", () -> seen("f").equals("all"));
  }

  static class Wrong {
    @Locked(name = "a", mode = LockMode.READ, atLeast = "1m")
    void minimum() {}

    @Locked(name = "a", mode = LockMode.WRITE, options = "minimal")
    void optionsWithMinimum() {}
  }

  @Test
  @DisplayName("A side with a minimum hold is refused when the object is made")
  void minimum() {
    String own =
        assertThrows(Exception.class, () -> apps.injector.getInstance(Wrong.class)).getMessage();
    assertTrue(
        own.contains("Wrong.minimum(): atLeast = \"1m\" with mode = READ: the sides of a"), own);
    assertTrue(
        own.contains(
            "Wrong.optionsWithMinimum(): mode = WRITE with options = \"minimal\", whose at-least"
                + " is 1m: the sides of a read/write lock have no minimum hold"),
        own);
    assertThrows(
        CreationException.class,
        () ->
            Guice.createInjector(
                new AbstractModule() {
                  @Override
                  protected void configure() {
                    install(
                        LeaseholdModule.of(ConfigFactory.parseString("lock.locks.minimal {}"))
                            .lazily());
                    bind(Wrong.class);
                  }
                }));
  }

  /** Options of a kind that the method does not take. */
  static class OtherKinds {
    @Locked(name = "a", options = "sided")
    void noSide() {}

    @Locked(name = "a", options = "exports")
    void semaphore() {}

    @Locked(name = "a", mode = LockMode.READ, options = "loaded")
    void latch() {}
  }

  @Test
  @DisplayName("Options of another kind than the method takes are refused, with the way out")
  void otherKinds() {
    String told =
        assertThrows(Exception.class, () -> apps.injector.getInstance(OtherKinds.class))
            .getMessage();
    assertTrue(
        told.contains(
            "OtherKinds.noSide(): mode = PLAIN with options = \"sided\", whose kind is read-write"
                + " (lock.locks.sided.kind): the plain lock of a name keeps no reader and no writer"
                + " out: set mode = READ or WRITE, or take the options of one whose kind is lock"),
        told);
    assertTrue(
        told.contains(
            "OtherKinds.semaphore(): mode = PLAIN with options = \"exports\", whose kind is"
                + " semaphore (lock.locks.exports.kind): a method takes a lock, no semaphore: "),
        told);
    assertTrue(
        told.contains(
            "OtherKinds.latch(): mode = READ with options = \"loaded\", whose kind is latch"
                + " (lock.locks.loaded.kind): a method takes a lock, no latch: "),
        told);
  }
}
