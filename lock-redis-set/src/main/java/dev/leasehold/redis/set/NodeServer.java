package dev.leasehold.redis.set;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One server as a node of a quorum: of each connection it is known to which run of the server it
 * leads, and the server has noted that run before anything else is sent. Thread-safe.
 */
interface NodeServer extends Redis {

  /** The run that it is connected to; null while the connection is broken. */
  @Nullable ServerRun run();

  /** For messages. */
  String address();

  /** Of the last run that it was connected to. */
  String runId();

  /** Tells each time, and at once, when the server does not vote for a while. */
  void onQuarantine(Consumer<Duration> listener);

  /** Has the server note a run, at first and whenever it has forgotten it. */
  CompletableFuture<Long> enter(ServerRun met);
}
