package dev.leasehold.redisson;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.misc.ReclosableLatch;

/**
 * An application that knows Redisson alone, in a JVM of its own; {@link OtherProcess} talks to it.
 * A line in is "number lane object name operation argument...", one out "number answer", where an
 * answer that is a failure begins with an exclamation mark. The commands of a lane run on one
 * thread, since Redisson's locks belong to threads.
 */
final class PlainRedisson {
  private static final PrintStream OUT = System.out;
  private static final Map<String, ExecutorService> LANES = new ConcurrentHashMap<>();

  private static final Set<Thread.State> ASLEEP =
      Set.of(Thread.State.TIMED_WAITING, Thread.State.WAITING);

  /** What Redisson lets threads wait at. */
  private static final Set<String> GATES =
      Set.of(Semaphore.class.getName(), ReclosableLatch.class.getName());

  private PlainRedisson() {}

  /**
   * The application.
   *
   * @param arguments the server's address, and {@code lockWatchdogTimeout} in ms
   */
  public static void main(String[] arguments) throws IOException {
    Config config =
        new Config()
            .setThreads(4)
            .setNettyThreads(4)
            .setLockWatchdogTimeout(Long.parseLong(arguments[1]));
    config
        .useSingleServer()
        .setAddress(arguments[0])
        .setConnectionMinimumIdleSize(1)
        .setConnectionPoolSize(8)
        .setSubscriptionConnectionMinimumIdleSize(1);
    RedissonClient client = Redisson.create(config);
    tell("0 ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      List<String> command = List.of(line.split(" "));
      LANES
          .computeIfAbsent(
              command.get(1),
              lane -> Executors.newSingleThreadExecutor(run -> new Thread(run, lane)))
          .execute(() -> run(client, command));
    }
    Runtime.getRuntime().halt(0);
  }

  private static synchronized void tell(String line) {
    OUT.println(line);
    OUT.flush();
  }

  private static void run(RedissonClient client, List<String> command) {
    String answer;
    try {
      String name = command.get(3);
      List<String> operation = command.subList(4, command.size());
      answer =
          switch (command.get(2)) {
            case "lock" -> ofLock(client.getLock(name), operation);
            case "read" -> ofLock(client.getReadWriteLock(name).readLock(), operation);
            case "write" -> ofLock(client.getReadWriteLock(name).writeLock(), operation);
            case "lane" -> Boolean.toString(isAsleep(name));
            case "multi" -> ofLock(several(client, name), operation);
            case "latch" -> ofLatch(client.getCountDownLatch(name), operation);
            case "permits" -> ofPermits(client.getPermitExpirableSemaphore(name), operation);
            case "semaphore" -> ofSemaphore(client.getSemaphore(name), operation);
            default -> throw new IllegalArgumentException(command.toString());
          };
    } catch (Exception e) {
      answer = "!" + e;
    }
    tell(command.get(0) + " " + answer);
  }

  /** Whether a lane waits for a message: only then does one that wakes all reach it. */
  private static boolean isAsleep(String lane) {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getKey().getName().equals(lane))
        .filter(thread -> ASLEEP.contains(thread.getKey().getState()))
        .flatMap(thread -> Arrays.stream(thread.getValue()))
        .anyMatch(frame -> GATES.contains(frame.getClassName()));
  }

  private static String ofLock(RLock lock, List<String> operation) throws InterruptedException {
    switch (operation.get(0)) {
      case "lock" -> lock.lock();
      case "lease" -> lock.lock(Long.parseLong(operation.get(1)), TimeUnit.MILLISECONDS);
      case "unlock" -> lock.unlock();
      case "try" -> {
        return Boolean.toString(lock.tryLock());
      }
      case "wait" -> {
        return Boolean.toString(
            lock.tryLock(Long.parseLong(operation.get(1)), TimeUnit.MILLISECONDS));
      }
      default -> throw new IllegalArgumentException(operation.toString());
    }
    return "done";
  }

  /**
   * Names are divided by commas. A lane finds its own again: a hold is the client's and thread's.
   */
  private static RLock several(RedissonClient client, String names) {
    return client.getMultiLock(
        Stream.of(names.split(",")).map(client::getLock).toArray(RLock[]::new));
  }

  private static String ofSemaphore(RSemaphore permits, List<String> operation) {
    switch (operation.get(0)) {
      case "set" -> {
        return Boolean.toString(permits.trySetPermits(Integer.parseInt(operation.get(1))));
      }
      case "try" -> {
        return Boolean.toString(permits.tryAcquire());
      }
      case "release" -> permits.release();
      case "available" -> {
        return Integer.toString(permits.availablePermits());
      }
      default -> throw new IllegalArgumentException(operation.toString());
    }
    return "done";
  }

  private static String ofPermits(RPermitExpirableSemaphore permits, List<String> operation)
      throws InterruptedException {
    return switch (operation.get(0)) {
      case "set" -> Boolean.toString(permits.trySetPermits(Integer.parseInt(operation.get(1))));
      case "acquire" -> permits.acquire();
      case "lease" -> permits.acquire(Long.parseLong(operation.get(1)), TimeUnit.MILLISECONDS);
      case "try" -> String.valueOf(permits.tryAcquire());
      case "release" -> Boolean.toString(permits.tryRelease(operation.get(1)));
      case "available" -> Integer.toString(permits.availablePermits());
      case "number" -> Integer.toString(permits.getPermits());
      default -> throw new IllegalArgumentException(operation.toString());
    };
  }

  private static String ofLatch(RCountDownLatch latch, List<String> operation)
      throws InterruptedException {
    switch (operation.get(0)) {
      case "set" -> {
        return Boolean.toString(latch.trySetCount(Long.parseLong(operation.get(1))));
      }
      case "down" -> latch.countDown();
      case "await" -> latch.await();
      case "wait" -> {
        return Boolean.toString(
            latch.await(Long.parseLong(operation.get(1)), TimeUnit.MILLISECONDS));
      }
      case "count" -> {
        return Long.toString(latch.getCount());
      }
      case "delete" -> {
        return Boolean.toString(latch.delete());
      }
      default -> throw new IllegalArgumentException(operation.toString());
    }
    return "done";
  }
}
