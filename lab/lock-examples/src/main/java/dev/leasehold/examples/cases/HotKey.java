package dev.leasehold.examples.cases;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A single loader on a cache miss. A hot key expires while many threads of two processes read it:
 * one of them queries the database, and the others wait for its result. Without the lock, all that
 * miss before the first result arrives query it.
 */
public final class HotKey {
  private static final int PROCESSES = 2;
  private static final int THREADS = 32;
  private static final long SECONDS_IN_CACHE = 60;
  private static final Duration EXPIRES_AFTER = Duration.ofMillis(400);
  private static final Duration LOAD = Duration.ofMillis(1200);
  private static final String QUERY = "SELECT PRICE, SLOWLY(200) FROM PRODUCT WHERE ID = ?";

  private final RedisCommands<String, String> cache;
  private final LockManager locks;
  private final String database;

  private HotKey(RedisCommands<String, String> cache, LockManager locks, String database) {
    this.cache = cache;
    this.locks = locks;
    this.database = database;
  }

  /** The price, from the cache if present. */
  String price(String product) throws InterruptedException, SQLException {
    String known = cache.get("price:" + product);
    if (known != null) {
      return known;
    }
    try (Lease lease = locks.lock("load:" + product).acquire()) {
      String loaded = cache.get("price:" + product); // loaded meanwhile by the previous holder
      lease.ensureValid();
      return loaded != null ? loaded : load(product);
    }
  }

  /** The usual implementation. */
  String priceWithoutLock(String product) throws SQLException {
    String known = cache.get("price:" + product);
    return known != null ? known : load(product);
  }

  private String load(String product) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database);
        PreparedStatement query = connection.prepareStatement(QUERY)) {
      query.setString(1, product);
      try (ResultSet rows = query.executeQuery()) {
        rows.next();
        String price = rows.getString(1);
        cache.set("price:" + product, price, SetArgs.Builder.ex(SECONDS_IN_CACHE));
        return price;
      }
    }
  }

  private String keepReading(boolean guarded) throws InterruptedException, SQLException {
    long begun = System.nanoTime();
    String price;
    do {
      price = guarded ? price("4711") : priceWithoutLock("4711");
    } while (System.nanoTime() - begun < LOAD.toNanos());
    return price;
  }

  /** Prints how often the database was queried. */
  public static void main(String[] args) throws Exception {
    for (Mode mode : Mode.values()) {
      System.out.printf(
          "%s: a key expires that %d threads of %d processes read, the database is asked %d times%n",
          mode, PROCESSES * THREADS, PROCESSES, run(mode));
    }
  }

  static long run(Mode mode) throws Exception {
    try (RedisServer redis = RedisServers.start();
        Database database =
            Database.with(
                "SET QUERY_STATISTICS TRUE",
                "CREATE ALIAS SLOWLY FOR \"java.lang.Thread.sleep(long)\"",
                "CREATE TABLE PRODUCT (ID VARCHAR PRIMARY KEY, PRICE INT)",
                "INSERT INTO PRODUCT VALUES ('4711', 1999)")) {
      List<Child> children = new ArrayList<>();
      try {
        for (int i = 0; i < PROCESSES; i++) {
          children.add(Child.start(Loader.class, redis.uri(), database.url(), mode.name()));
        }
        for (Child child : children) {
          child.next(); // ready
        }
        String millis = Long.toString(EXPIRES_AFTER.toMillis());
        redis.call("SET", "price:4711", "1999", "PX", millis);
        for (Child child : children) {
          child.goOn();
        }
        for (Child child : children) {
          child.next(); // done
        }
      } finally {
        children.forEach(Child::close);
      }
      return database.number(
          "SELECT EXECUTION_COUNT FROM INFORMATION_SCHEMA.QUERY_STATISTICS WHERE SQL_STATEMENT = '"
              + QUERY
              + "'");
    }
  }

  /** One of the reading processes. */
  static final class Loader {
    private Loader() {}

    public static void main(String[] args) throws Exception {
      RedisClient client = RedisClient.create(args[0]);
      try (LockManager locks = Child.locksOnLettuce(args[0])) {
        HotKey shop = new HotKey(client.connect().sync(), locks, args[1]);
        boolean guarded = args[2].equals(Mode.GUARDED.name());
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        Child.sayAndWait("ready");
        List<Future<String>> prices = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          prices.add(threads.submit(() -> shop.keepReading(guarded)));
        }
        for (Future<String> price : prices) {
          price.get();
        }
        threads.shutdown();
        System.out.println("done");
      } finally {
        client.shutdown();
      }
    }
  }
}
