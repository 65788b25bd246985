package dev.leasehold.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The graph of waiters and holders")
class WaitGraphTest extends OnOneServer {
  private static CompletableFuture<Lease> waiter(LockManager process, String name) {
    return process.lock(name).acquireAsync().toCompletableFuture();
  }

  private static WaitGraph awaitWaits(LockAdmin admin, int number) {
    Await.until(number + " waits", () -> admin.waits("*").waits().size() == number);
    return admin.waits("*");
  }

  private static Set<String> labels(List<String> cycle) {
    return Set.copyOf(cycle);
  }

  @Test
  @DisplayName("Two processes that each hold what the other wants are a cycle; a third one is not")
  void deadlock() throws Exception {
    LockManager one = process("one");
    LockManager two = process("two");
    Lease first = one.lock("first").acquire();
    Lease second = two.lock("second").acquire();
    LockAdmin admin = admin();
    assertEquals(List.of(), admin.waits("*").waits());
    CompletableFuture<Lease> wantsSecond = waiter(one, "second");
    CompletableFuture<Lease> outside = waiter(process("three"), "first");
    WaitGraph chain = awaitWaits(admin, 2);
    assertEquals(List.of(), chain.cycles());
    chain.waits().forEach(wait -> assertEquals(0, chain.cycle(wait)));

    CompletableFuture<Lease> wantsFirst = waiter(two, "first");
    WaitGraph graph = awaitWaits(admin, 3);
    assertEquals(1, graph.cycles().size(), graph::toString);
    assertEquals(Set.of("one", "two"), labels(graph.cycles().get(0)));
    for (Wait wait : graph.waits()) {
      assertEquals(wait.waiter().holder().equals("three") ? 0 : 1, graph.cycle(wait));
      assertEquals(wait.name().equals("first") ? List.of("one") : List.of("two"), wait.holders());
    }
    assertEquals(1, admin.waits("sec*").waits().size());

    second.release();
    Await.value(wantsSecond).release();
    assertEquals(List.of(), awaitWaits(admin, 2).cycles());
    first.release();
    Await.value(outside).release();
    Await.value(wantsFirst).release();
  }

  @Test
  @DisplayName("A writer waits for each reader")
  void readers() throws Exception {
    Lease here = process("one").readWriteLock("page").read().acquire();
    Lease there = process("two").readWriteLock("page").read().acquire();
    CompletableFuture<Lease> writer =
        process("three").readWriteLock("page").write().acquireAsync().toCompletableFuture();
    Wait wait = awaitWaits(admin(), 1).waits().get(0);
    assertEquals(KindOfLock.READ_WRITE_LOCK, wait.kind());
    assertEquals(Set.of("one", "two"), Set.copyOf(wait.holders()));
    here.release();
    there.release();
    Await.value(writer).release();
  }

  @Test
  @DisplayName("A process that waits for the end of its own minimum hold waits for no other")
  void minimumHold() throws Exception {
    LockManager process = process("one");
    LockAdmin admin = admin();
    LockOptions kept = LockOptions.builder().atLeast(Duration.ofSeconds(5)).build();
    process.lock("job", kept).acquire().release();
    CompletableFuture<Lease> next = waiter(process, "job");
    WaitGraph graph = awaitWaits(admin, 1);
    assertEquals(List.of(), graph.waits().get(0).holders(), graph::toString);
    assertEquals(List.of(), graph.cycles());
    Await.value(next).release();
  }

  private static Wait wait(String from, String... to) {
    QueuedWaiter waiter =
        new QueuedWaiter(
            1, from, Side.ALL, 1, Optional.of(Duration.ZERO), new Votes(List.of("n"), true));
    return new Wait("lock of " + Arrays.asList(to), KindOfLock.LOCK, waiter, List.of(to));
  }

  private static Set<Set<String>> cycles(Wait... waits) {
    return WaitGraph.of(List.of(waits), List.of()).cycles().stream()
        .map(WaitGraphTest::labels)
        .collect(Collectors.toSet());
  }

  @Test
  @DisplayName("Cycles of any length are found, without the waits that lead to them")
  void graphs() {
    assertEquals(Set.of(), cycles());
    assertEquals(Set.of(), cycles(wait("a", "b"), wait("b", "c"), wait("a", "c")));
    assertEquals(Set.of(Set.of("a")), cycles(wait("a", "a"), wait("b", "a")));
    assertEquals(
        Set.of(Set.of("b", "c", "d"), Set.of("e", "f")),
        cycles(
            wait("a", "b"),
            wait("b", "c"),
            wait("c", "d"),
            wait("d", "b", "e"),
            wait("e", "f"),
            wait("f", "e", "g")));
    assertEquals(
        Set.of(Set.of("a", "b", "c")),
        cycles(wait("a", "b"), wait("b", "a"), wait("b", "c"), wait("c", "b")));
  }

  @Test
  @DisplayName("A pattern that is none is refused")
  void pattern() {
    assertThrows(IllegalArgumentException.class, () -> admin().waits(""));
  }
}
