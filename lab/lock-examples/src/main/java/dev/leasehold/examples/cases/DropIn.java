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
 * Code that was written for a {@link ReentrantLock} keeps its {@link Lock}, and now excludes other
 * machines as well: two tills sell from one stock, and with the lock that each has for itself they
 * sell some of it twice. {@code newCondition()} is the one thing that such code can't have: a
 * condition across machines would be another library.
 *
 * <p>The tills name no backend. They take the one that is on their path, and the environment tells
 * where its servers are; another backend is another jar.
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

  /** Takes some out of stock, if there are so many. */
  boolean take(int pieces) throws IOException, InterruptedException {
    lock.lock();
    try {
      return isThere(pieces) && remove(pieces);
    } finally {
      lock.unlock();
    }
  }

  /** The same, if nobody else is at it. */
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
    lock.lock(); // again, by the same thread
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

  /** Tells how many pieces were sold. */
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
      // Only here several backends are on the path, so that one has to be named.
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

  /** One of the processes. */
  static final class Till {
    private Till() {}

    /** Arguments: the file that says what is in stock, and the mode. */
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
