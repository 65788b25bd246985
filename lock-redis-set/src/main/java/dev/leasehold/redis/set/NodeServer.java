package dev.leasehold.redis.set;

import dev.leasehold.redis.common.NodeVoter;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import java.time.Duration;
import java.util.List;
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

  /** What it and this client know of each other. */
  NodeVoter voter();

  /**
   * Has the server note a run, at first and whenever it has forgotten it; and tells for how long it
   * does not vote.
   */
  default CompletableFuture<Duration> enter(ServerRun met) {
    return new ScriptCall<List<Object>, Duration>(
            met,
            "enter the quorum for every",
            "*",
            voter().enter(met.runId()),
            () -> new NestedMultiOutput<>(ByteArrayCodec.INSTANCE),
            voter()::entered)
        .send()
        .whenComplete(
            (left, failure) -> {
              if (failure != null) {
                voter().notEntered();
              }
            });
  }
}
