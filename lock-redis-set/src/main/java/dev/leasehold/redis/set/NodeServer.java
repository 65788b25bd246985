package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.redis.common.NodeGuard;
import dev.leasehold.redis.common.ScriptCall;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One server as a node of a quorum: for each connection the server's run is known, and has been
 * registered with the server before anything else is sent. Thread-safe.
 */
interface NodeServer extends LettuceRedis {

  /** The run of the current connection; null while the connection is broken. */
  @Nullable ServerRun run();

  /** The run of the latest connection. */
  String runId();

  /** How this client is granted locks there. */
  NodeGuard guard();

  /** Begins to report quarantines; called once the store has started. */
  default void start(StoreContext context) {
    guard().start(context);
  }

  /**
   * Registers the run with the server, at first and whenever the server has forgotten it. Completes
   * with how long the server does not vote.
   */
  default CompletableFuture<Duration> enter(ServerRun met) {
    return new LettuceScriptCall<>(
            met,
            new ScriptCall<>(
                "enter the quorum for every",
                "*",
                guard().voter().enter(met.runId()),
                reply -> guard().entered((List<?>) reply)))
        .send()
        .whenComplete(
            (left, failure) -> {
              if (failure != null) {
                guard().voter().notEntered();
              }
            });
  }
}
