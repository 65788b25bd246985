package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.several.AllAsync;
import dev.leasehold.lock.internal.several.AllLocks;
import dev.leasehold.lock.internal.several.CombinedStep;
import dev.leasehold.lock.internal.several.CombinedStep.Round;
import dev.leasehold.lock.internal.several.GatherContext;
import dev.leasehold.lock.internal.threads.Clock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;

/** Locks, and questions for several, that answer when the test says so; time that it moves. */
abstract class AllAsyncSetting {
  static final Duration WAIT = Duration.ofSeconds(1);
  static final long PAUSE = 500_000;

  final ManualTime time = new ManualTime();
  final LockManager manager = time.manager(new MapStore(time)).build();

  /** What was asked, in order: a name and how long it may wait. */
  final List<String> asked = new ArrayList<>();

  final Part a = new Part("a");
  final Part b = new Part("b");
  final Part c = new Part("c");

  /** Questions for several, in order. */
  final List<Question> questions = new ArrayList<>();

  record Question(
      List<Integer> places, List<Lease> beside, CompletableFuture<Round<Lease>> answer) {}

  @AfterEach
  void close() {
    manager.close();
  }

  /** A lock that answers when the test says so. */
  final class Part {
    final String name;
    final List<CompletableFuture<Object>> answers = new ArrayList<>();
    int released;
    Runnable whenReleased = () -> {};
    Runnable whenAsked = () -> {};
    Supplier<CompletableFuture<Object>> stages = CompletableFuture::new;

    final Lease lease =
        proxy(
            Lease.class,
            (method, arguments) -> {
              if (method.equals("release")) {
                released++;
                whenReleased.run();
              }
              return null;
            });

    final DistributedLock lock =
        proxy(
            DistributedLock.class,
            (method, arguments) -> {
              CompletableFuture<Object> answer = stages.get();
              answers.add(answer);
              asked.add(method.equals("acquireAsync") ? name() : name() + " " + arguments[0]);
              whenAsked.run();
              return answer;
            });

    Part(String name) {
      this.name = name;
    }

    private String name() {
      return name;
    }

    CompletableFuture<Object> latest() {
      return answers.get(answers.size() - 1);
    }

    void grant() {
      latest().complete(Optional.of(lease));
    }

    void refuse() {
      latest().complete(Optional.empty());
    }
  }

  private interface Answers {
    Object to(String method, Object[] arguments);
  }

  private static <T> T proxy(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "toString" -> "it";
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == arguments[0];
                  default -> answers.to(method.getName(), arguments);
                }));
  }

  CombinedStep<Lease> step() {
    return (places, taken) -> {
      CompletableFuture<Round<Lease>> answer = new CompletableFuture<>();
      questions.add(new Question(places, taken, answer));
      return answer;
    };
  }

  AllAsync<Lease> async(CombinedStep<Lease> step, Part... parts) {
    List<DistributedLock> locks = new ArrayList<>();
    for (Part part : parts) {
      locks.add(part.lock);
    }
    Clock clock = new Clock(time, time, Runnable::run);
    return AllLocks.async(locks, step, GatherContext.of(clock, () -> () -> 2 * PAUSE));
  }

  CompletableFuture<Optional<List<Lease>>> take(CombinedStep<Lease> step, Part... parts) {
    return async(step, parts).take(Optional.of(WAIT), Function.identity());
  }

  CompletableFuture<Optional<List<Lease>>> withoutBound(CombinedStep<Lease> step, Part... parts) {
    return async(step, parts).take(Optional.empty(), Function.identity());
  }

  Question question() {
    return questions.get(questions.size() - 1);
  }

  void refuse(int place, boolean inDoubt) {
    question().answer().complete(new Round<>(List.of(), place, inDoubt));
  }

  static LockStoreException failure(Kind kind) {
    return new LockStoreException(kind, "of the test's");
  }

  static Throwable failureOf(CompletableFuture<?> result) {
    assertTrue(result.isDone(), "it has not ended");
    return assertThrows(CompletionException.class, result::join).getCause();
  }

  static void assertSilent(CompletableFuture<?> result) {
    LockStoreException failure = assertInstanceOf(LockStoreException.class, failureOf(result));
    assertEquals("no answer yet within 1s, the time to wait", failure.getMessage());
  }

  /** A lease that its owner waited for while another one had it. */
  Lease afterOthers() {
    Lease first = manager.lock("x").as(LockOwner.unique("first")).tryAcquire().orElseThrow();
    CompletionStage<Lease> next = manager.lock("x").acquireAsync();
    first.release();
    return next.toCompletableFuture().join();
  }
}
