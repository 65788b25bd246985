package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.LeaderElection;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.Resignation;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.TimeScale;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Those who stand for one election, and who saw two leaders at a time. */
final class Candidates {
  /** A patience with a callback that has begun, and has not noted it yet. */
  private static final Duration BEGINS = TimeScale.seconds(3);

  private final Bench bench;
  private final List<Candidate> all = new CopyOnWriteArrayList<>();
  private final List<String> overlaps = new CopyOnWriteArrayList<>();

  Candidates(Bench bench) {
    this.bench = bench;
  }

  /** Begins to stand. */
  Candidate stand(DistributedLock lock) {
    return stand(lock, lease -> {});
  }

  /** Begins to stand; this is what it does when it is elected. */
  Candidate stand(DistributedLock lock, Consumer<Lease> work) {
    Candidate candidate = new Candidate(work);
    all.add(candidate);
    candidate.election =
        bench.closing(
            bench
                .site()
                .backend()
                .election(lock)
                .elected(candidate::elected)
                .resigned(candidate::resigned)
                .start());
    return candidate;
  }

  /** Waits for a leader. */
  Candidate leader() {
    Await.until(
        "one of " + all.size() + " is elected", () -> all.stream().anyMatch(c -> c.leads()));
    return all.stream().filter(Candidate::leads).findFirst().orElseThrow();
  }

  /** How often one of them was elected. */
  int terms() {
    return all.stream().mapToInt(candidate -> candidate.terms.size()).sum();
  }

  /** Lets time pass, unless somebody is elected beside a leader before. */
  void lookForOverlap(Duration time) {
    long begun = System.nanoTime();
    while (overlaps.isEmpty() && System.nanoTime() - begun < time.toNanos()) {
      Await.pass(Duration.ofMillis(5));
    }
  }

  /** Fails if somebody was elected while another had a valid lease. */
  void checkOneAtATime() {
    Check.equal(List.of(), overlaps, "who was elected beside a leader with a valid lease");
  }

  /** One who stands. */
  final class Candidate {
    final List<Lease> terms = new CopyOnWriteArrayList<>();
    final List<Resignation> told = new CopyOnWriteArrayList<>();
    private final Consumer<Lease> work;
    private volatile @Nullable LeaderElection election;
    volatile long toldAt;
    volatile @Nullable Thread toldOn;

    Candidate(Consumer<Lease> work) {
      this.work = work;
    }

    private void elected(Lease lease) {
      terms.add(lease);
      for (Candidate other : all) {
        if (other != this && other.terms.stream().anyMatch(Lease::isValid)) {
          overlaps.add(all.indexOf(this) + " beside " + all.indexOf(other));
        }
      }
      work.accept(lease);
    }

    private void resigned(Resignation why) {
      toldAt = System.nanoTime();
      toldOn = Thread.currentThread();
      told.add(why);
    }

    /** Whether it was elected, and its lease is valid: that it leads no more it may hear later. */
    boolean leads() {
      int count = terms.size();
      return count > 0 && terms.get(count - 1).isValid();
    }

    void awaitTerms(int count) {
      Await.until("it is elected " + count + " times", () -> terms.size() >= count);
    }

    void awaitTold(int count) {
      Await.until("it is told " + count + " times", () -> told.size() >= count);
    }

    /** Releases the lease that it leads by. */
    void giveUp() {
      terms.get(terms.size() - 1).release();
    }

    /** Fails unless it was told once for each term. Its last callback may only just begin. */
    void checkToldOnce() {
      long begun = System.nanoTime();
      while (terms.size() < told.size() && System.nanoTime() - begun < BEGINS.toNanos()) {
        Await.pass(Duration.ofMillis(5));
      }
      Check.equal(terms.size(), told.size(), "how often it was told");
    }

    Optional<HolderInfo> whoLeads() {
      return Objects.requireNonNull(election, "it stands").leader();
    }

    void close() {
      Objects.requireNonNull(election, "it stands").close();
    }
  }
}
