package dev.leasehold.benchmarks;

import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A lock whose lease lingers after its release, and so is taken again without the server. */
@State(Scope.Thread)
public class LingeringLock {
  private static final String LINGER = "100ms";

  /** The server's. */
  @Param("redis://127.0.0.1:6379")
  public String uri;

  private Subject ours;
  private Subject.Pair pair;

  /** Opens the client. */
  @Setup
  public void open() {
    ours = LockSubjects.leasehold("redis-set", uri, Map.of("lock.linger", LINGER));
    pair = ours.on("again");
  }

  /** Takes what lingers, and gives it back. */
  @Benchmark
  public void again() throws Exception {
    pair.run();
  }

  /** Closes it. */
  @TearDown
  public void close() {
    ours.close();
  }
}
