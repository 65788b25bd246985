package dev.leasehold.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.methods.Locked;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

@DisplayName("Locks, and the other proxies around a bean")
class ProxiesTest {
  @AutoClose private static final RedisServer server = RedisServers.start();
  private static ConfigurableApplicationContext context;

  /** What a JDK proxy is made for. */
  interface Ledger {
    boolean book();

    void later(CompletableFuture<Boolean> taken);

    void tick();
  }

  /** Of a class with an interface. */
  static class Books implements Ledger {
    final CompletableFuture<Boolean> ticked = new CompletableFuture<>();
    private final LockManager locks;

    Books(LockManager locks) {
      this.locks = locks;
    }

    @Override
    @Transactional
    @Locked(name = "ledger")
    public boolean book() {
      return taken(locks, "ledger");
    }

    @Override
    @Async("byHand")
    @Locked(name = "later")
    public void later(CompletableFuture<Boolean> taken) {
      taken.complete(taken(locks, "later"));
    }

    @Override
    @Scheduled(initialDelay = 0, fixedDelay = 1, timeUnit = TimeUnit.DAYS)
    @Locked(name = "tick")
    public void tick() {
      ticked.complete(taken(locks, "tick"));
    }
  }

  /** Of a class without one. */
  static class Notes {
    private final LockManager locks;

    Notes(LockManager locks) {
      this.locks = locks;
    }

    @Transactional
    @Locked(name = "notes")
    public boolean note() {
      return taken(locks, "notes");
    }
  }

  /** As with Spring alone: JDK proxies for what has an interface. */
  @EnableTransactionManagement
  @EnableAsync
  @EnableScheduling
  static class Application {
    final BlockingQueue<Runnable> asked = new LinkedBlockingQueue<>();
    final BlockingQueue<Boolean> commits = new LinkedBlockingQueue<>();

    @Bean
    PlatformTransactionManager transactions(LockManager locks) {
      return new AbstractPlatformTransactionManager() {
        private static final long serialVersionUID = 1;

        @Override
        protected Object doGetTransaction() {
          return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
          commits.add(
              taken(locks, status.getTransactionName().endsWith("book") ? "ledger" : "notes"));
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
      };
    }

    /** Runs what it is given when the test says so. */
    @Bean
    Executor byHand() {
      return asked::add;
    }
  }

  /** Whether the lock is held. */
  private static boolean taken(LockManager locks, String name) {
    DistributedLock rival = locks.lock(name).as(LockOwner.unique("rival"));
    return rival.tryAcquire().map(ProxiesTest::free).orElse(true);
  }

  private static boolean free(Lease lease) {
    lease.release();
    return false;
  }

  @BeforeAll
  static void start() {
    context =
        Apps.start(
            server,
            List.of("spring.aop.proxy-target-class=false"),
            Application.class,
            Books.class,
            Notes.class);
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  @Test
  @DisplayName("A transaction ends before the lock is released, with either kind of proxy")
  void transactions() throws Exception {
    LockManager locks = context.getBean(LockManager.class);
    BlockingQueue<Boolean> commits = context.getBean(Application.class).commits;
    Ledger ledger = context.getBean(Ledger.class);
    assertTrue(Proxy.isProxyClass(ledger.getClass()));
    assertTrue(ledger.book());
    assertEquals(true, commits.poll(20, TimeUnit.SECONDS), "taken when it was committed");
    assertFalse(taken(locks, "ledger"));
    Notes notes = context.getBean(Notes.class);
    assertFalse(Proxy.isProxyClass(notes.getClass()));
    assertTrue(notes.note());
    assertEquals(true, commits.poll(20, TimeUnit.SECONDS), "taken when it was committed");
    assertFalse(taken(locks, "notes"));
  }

  @Test
  @DisplayName("An @Async method has the lock where it runs, and its caller has none")
  void async() throws Exception {
    LockManager locks = context.getBean(LockManager.class);
    CompletableFuture<Boolean> taken = new CompletableFuture<>();
    context.getBean(Ledger.class).later(taken);
    Runnable task = context.getBean(Application.class).asked.poll(20, TimeUnit.SECONDS);
    assertFalse(taken(locks, "later"), "before it runs");
    task.run();
    assertTrue(taken.isDone() && taken.join());
    assertFalse(taken(locks, "later"), "after it ran");
  }

  @Test
  @DisplayName("A @Scheduled method of a bean with a JDK proxy runs under its lock")
  void scheduled() throws Exception {
    Object books = AopProxyUtils.getSingletonTarget(context.getBean(Ledger.class));
    assertTrue(((Books) books).ticked.get(20, TimeUnit.SECONDS));
  }
}
