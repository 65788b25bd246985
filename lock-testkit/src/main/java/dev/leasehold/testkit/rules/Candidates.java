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

/** The candidates of one election; records every time two of them led at once. */
final class Candidates {
  /** How long a callback may take from its start to recording its term. */
  private static final Duration BEGINS = TimeScale.seconds(3);

  private final Bench bench;
  private final List<Candidate> all = new CopyOnWriteArrayList<>();
  private final List<String> overlaps = new CopyOnWriteArrayList<>();

  Candidates(Bench bench) {
    this.bench = bench;
  }

  /** Joins the election. */
  Candidate stand(DistributedLock lock) {
    return stand(lock, lease -> {});
  }

  /** Joins the election; {@code work} is run when the candidate is elected. */
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

  /** Waits until one of the candidates leads. */
  Candidate leader() {
    Await.until(
        "one of " + all.size() + " is elected", () -> all.stream().anyMatch(c -> c.leads()));
    return all.stream().filter(Candidate::leads).findFirst().orElseThrow();
  }

  /** The number of elections won, over all candidates. */
  int terms() {
    return all.stream().mapToInt(candidate -> candidate.terms.size()).sum();
  }

  /** Lets time pass; returns early once two candidates have led at the same time. */
  void lookForOverlap(Duration time) {
    long begun = System.nanoTime();
    while (overlaps.isEmpty() && System.nanoTime() - begun < time.toNanos()) {
      Await.pass(Duration.ofMillis(5));
    }
  }

  /** Fails if a candidate was elected while another had a valid lease. */
  void checkOneAtATime() {
    Check.equal(List.of(), overlaps, "elections beside a leader with a valid lease");
  }

  /** A candidate of the election. */
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

    /** Whether it was elected and its lease is valid; its resignation may be reported later. */
    boolean leads() {
      int count = terms.size();
      return count > 0 && terms.get(count - 1).isValid();
    }

    void awaitTerms(int count) {
      Await.until("it is elected " + count + " times", () -> terms.size() >= count);
    }

    void awaitTold(int count) {
      Await.until("it is notified " + count + " times", () -> told.size() >= count);
    }

    /** Releases the lease of its current term. */
    void giveUp() {
      terms.get(terms.size() - 1).release();
    }

    /**
     * Fails unless it received one resignation per term. The callback of its last term may have
     * only just started.
     */
    void checkToldOnce() {
      long begun = System.nanoTime();
      while (terms.size() < told.size() && System.nanoTime() - begun < BEGINS.toNanos()) {
        Await.pass(Duration.ofMillis(5));
      }
      Check.equal(terms.size(), told.size(), "how often it was notified");
    }

    Optional<HolderInfo> whoLeads() {
      return Objects.requireNonNull(election, "it stands").leader();
    }

    void close() {
      Objects.requireNonNull(election, "it stands").close();
    }
  }
}
