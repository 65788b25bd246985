package dev.leasehold.controls;

import dev.leasehold.controls.AllSketch.Flaw;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Waits for several locks of a {@link LineSketch.Waking} in the lines of all of them. */
final class AllLinesSketch extends AllSketch {
  private static final Duration LONGEST_SLEEP = Duration.ofMillis(200);

  /** The flaw: a wake-up for a free lock that this caller cannot use yet is not passed on. */
  private static final String STAND =
      """
      local free = true
      for _, key in ipairs(KEYS) do free = free and redis.call('EXISTS', key) == 0 end
      for _, key in ipairs(KEYS) do
        if free then redis.call('ZREM', key .. ':line', ARGV[1]) else stand(key, ARGV[1]) end
      end
      return free and 1 or 0
      """;

  private static final String LEAVE =
      """
      for _, key in ipairs(KEYS) do leave(key, ARGV[1]) end
      return 1
      """;

  private final String address;
  private final List<String> names;

  AllLinesSketch(String address, List<DistributedLock> locks) {
    super(locks, Flaw.STANDS_IN_ALL_LINES);
    this.address = address;
    this.names = locks.stream().map(DistributedLock::name).toList();
  }

  @Override
  public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    long end = System.nanoTime() + wait.toNanos();
    String me = UUID.randomUUID().toString();
    try (RedisCalls redis = new RedisCalls(address)) {
      while (true) {
        boolean free = script(redis, LineSketch.Waking.LINE + STAND, me) == 1;
        Optional<Lease> lease = free ? round(true) : Optional.empty();
        if (lease.isPresent()) {
          return lease;
        }
        Duration left = Duration.ofNanos(end - System.nanoTime());
        if (left.isNegative() || Thread.currentThread().isInterrupted()) {
          script(redis, LineSketch.Waking.WAKE + LineSketch.Waking.LEAVE + LEAVE, me);
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
          return Optional.empty();
        }
        sleep(redis, me, left.compareTo(LONGEST_SLEEP) < 0 ? left : LONGEST_SLEEP);
      }
    }
  }

  private long script(RedisCalls redis, String body, String me) {
    List<String> words = new ArrayList<>(List.of("EVAL", body, Integer.toString(names.size())));
    words.addAll(names);
    words.add(me);
    return redis.number(words.toArray(String[]::new));
  }

  private void sleep(RedisCalls redis, String me, Duration atMost) {
    List<String> words = new ArrayList<>(List.of("BLPOP"));
    names.forEach(name -> words.add(LineSketch.Waking.wakes(me, name)));
    words.add(Double.toString(Math.max(1, atMost.toMillis()) / 1000.0));
    redis.call(words.toArray(String[]::new));
  }
}
