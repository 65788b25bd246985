package dev.leasehold.benchmarks;

/** The pictures that are drawn of measurements, each from the points of its name. */
enum Picture {
  THREADS("One lock, threads of one process", "threads", "sections per second"),
  PROCESSES("One lock, processes of four threads", "processes", "sections per second"),
  LEASES("A lease that is held and renewed", "leases", "bytes of heap for each"),
  NODES("A pair on a quorum, one thread", "nodes", "microseconds"),
  LATENCY("A pair on one server, one thread", "microseconds", "share of all pairs, %"),
  CLUSTER("A cluster, 64 threads with a lock each", "primaries", "pairs per second"),
  HAND_OVER("One lock, kept for 10 ms each", "processes", "scripts for each hand-over"),
  WAITING("One lock, held for long", "waiting processes", "scripts per second"),
  RENEWALS("Leases that are held", "leases", "scripts per second"),
  RESTART("A server that was away for two seconds", "processes", "scripts per second, at most");

  final String title;
  final String across;
  final String up;

  Picture(String title, String across, String up) {
    this.title = title;
    this.across = across;
    this.up = up;
  }

  /** Whether both axes are logarithmic, as where values differ by orders of magnitude. */
  boolean isLogarithmic() {
    return this != NODES && this != LATENCY && this != CLUSTER;
  }

  /** Whether each label across is twice the one before it, as where powers of ten are too few. */
  boolean isDoubling() {
    return this == THREADS || this == PROCESSES;
  }
}
