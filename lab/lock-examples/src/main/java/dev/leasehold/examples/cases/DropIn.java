package dev.leasehold.examples.cases;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Code written for a {@link ReentrantLock} keeps its {@link Lock}, and now excludes other machines
 * as well. Two tills sell from one stock; if each has only its own local lock, they sell some of it
 * twice. Only {@code newCondition()} is not supported: a condition across machines would be another
 * library.
 *
 * <p>The tills name no backend. They use the one on their path, and the environment configures its
 * servers; to change the backend, change the jar.
 */
public final class DropIn {
  static final int STOCK = 50;
  private static final int TILLS = 2;
  private static final long MILLIS_A_SALE = 5;

  private final Lock lock;
  private final Path stock;

  DropIn(Lock lock, Path stock) {
    this.lock = lock;
    this.stock = stock;
  }

  /** Takes some pieces out of stock, if there are enough. */
  boolean take(int pieces) throws IOException, InterruptedException {
    lock.lock();
    try {
      return isThere(pieces) && remove(pieces);
    } finally {
      lock.unlock();
    }
  }

  /** The same, if the lock is free within this time. */
  boolean takeIfQuiet(int pieces, long millis) throws IOException, InterruptedException {
    if (!lock.tryLock(millis, TimeUnit.MILLISECONDS)) {
      return false;
    }
    try {
      return isThere(pieces) && remove(pieces);
    } finally {
      lock.unlock();
    }
  }

  private boolean isThere(int pieces) throws IOException {
    lock.lock(); // re-entrant
    try {
      return read() >= pieces;
    } finally {
      lock.unlock();
    }
  }

  private boolean remove(int pieces) throws IOException, InterruptedException {
    int left = read() - pieces;
    Thread.sleep(MILLIS_A_SALE);
    write(stock, left);
    return true;
  }

  private int read() throws IOException {
    return Integer.parseInt(Files.readString(stock));
  }

  static void write(Path stock, int pieces) throws IOException {
    Path whole = Files.createTempFile(stock.getParent(), "stock", null);
    Files.writeString(whole, Integer.toString(pieces));
    Files.move(whole, stock, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Prints how many pieces were sold. */
  public static void main(String[] args) throws Exception {
    for (Mode mode : Mode.values()) {
      System.out.printf("%s: %d tills sell %d of %d pieces%n", mode, TILLS, run(mode), STOCK);
    }
  }

  static int run(Mode mode) throws Exception {
    Path folder = Files.createTempDirectory("leasehold-drop-in");
    Path stock = folder.resolve("stock");
    write(stock, STOCK);
    List<Child> tills = new ArrayList<>();
    try (RedisServer redis = RedisServers.start()) {
      // Only here, several backends are on the path, so one must be named.
      Map<String, String> environment =
          Map.of("LOCK_BACKEND", "redis-setnx", "LOCK_REDIS_URI", redis.uri());
      for (int i = 0; i < TILLS; i++) {
        tills.add(Child.start(environment, Till.class, stock.toString(), mode.name()));
      }
      for (Child till : tills) {
        till.next(); // ready
      }
      for (Child till : tills) {
        till.goOn();
      }
      int sold = 0;
      for (Child till : tills) {
        sold += Integer.parseInt(till.next());
      }
      return sold;
    } finally {
      tills.forEach(Child::close);
      Files.deleteIfExists(stock);
      Files.deleteIfExists(folder);
    }
  }

  /** One of the tills. */
  static final class Till {
    private Till() {}

    /** Arguments: the file with the stock, and the mode. */
    public static void main(String[] args) throws Exception {
      Path stock = Path.of(args[0]);
      if (args[1].equals(Mode.BARE.name())) {
        sell(new DropIn(new ReentrantLock(), stock));
        return;
      }
      try (LockManager locks = LockManager.open(LockSettings.ofEnvironment(System.getenv()))) {
        sell(new DropIn(locks.lock("stock").asLock(), stock));
      }
    }

    private static void sell(DropIn shop) throws Exception {
      Child.sayAndWait("ready");
      int sold = 0;
      while (shop.take(1)) {
        sold++;
      }
      System.out.println(sold);
    }
  }
}
