package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

final class ReadWriteTokenRules {
  @Rule(value = "RW-6", also = Guarantee.FENCING)
  void tokens(Bench bench) throws Exception {
    String name = bench.name();
    DistributedReadWriteLock one = ReadWrites.apart(bench.site().open(), name);
    DistributedReadWriteLock other = ReadWrites.of(bench.site().open(), name);
    long write = 0;
    for (int round = 0; round < 4; round++) {
      DistributedReadWriteLock mine = round % 2 == 0 ? one : other;
      Lease writer = mine.write().acquire();
      long before = write;
      write = writer.fencingToken();
      Check.that(write > before, "a writer's is larger than all before: " + before + ", " + write);
      Lease beside = round == 3 ? mine.read().acquire() : null;
      writer.release();
      Lease first = other.read().acquire();
      Lease second = bench.onThread(() -> one.read().acquire()).get();
      long last = Math.max(first.fencingToken(), second.fencingToken());
      long least = Math.min(first.fencingToken(), second.fencingToken());
      if (beside != null) {
        least = Math.min(least, beside.fencingToken());
        last = Math.max(last, beside.fencingToken());
        beside.release();
      }
      Check.that(
          least > write, "a reader's is larger than the last writer's: " + write + ", " + least);
      first.release();
      second.release();
      write = last;
    }
  }

  @Rule(value = "RW-6", shows = "consecutive writers of one process", also = Guarantee.FENCING)
  void handedOver(Bench bench) throws Exception {
    String name = bench.name();
    HandOverCount count = new HandOverCount();
    DistributedReadWriteLock lock =
        ReadWrites.with(count.open(bench), name, new HandOver(100, Duration.ofSeconds(5)));
    List<Long> tokens = new ArrayList<>();
    Lease first = lock.write().acquire();
    List<CompletableFuture<Lease>> queue = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      queue.add(lock.write().acquireAsync().toCompletableFuture());
    }
    tokens.add(first.fencingToken());
    first.release();
    for (CompletableFuture<Lease> waiting : queue) {
      Lease next = Await.value(waiting);
      tokens.add(next.fencingToken());
      next.release();
    }
    count.awaitAny(bench);
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(
          bench.onThread(
              () -> {
                for (int round = 0; round < 3; round++) {
                  Lease lease = lock.write().acquire();
                  tokens.add(lease.fencingToken()); // guarded by the lock
                  lease.release();
                }
                return true;
              }));
    }
    all.forEach(Await::value);
    tokens.add(lock.read().acquire().fencingToken());
    for (int i = 1; i < tokens.size(); i++) {
      Check.that(tokens.get(i) > tokens.get(i - 1), "tokens increase: " + tokens);
    }
  }
}
