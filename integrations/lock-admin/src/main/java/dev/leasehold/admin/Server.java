package dev.leasehold.admin;

import io.lettuce.core.KeyScanArgs;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One Redis server, or one cluster. Calls never block, except where said. Thread-safe. */
interface Server extends AutoCloseable {

  /** Its address for people, without credentials. */
  String address();

  /**
   * Scans the keys of all primaries, in batches that are fetched as they are asked for. A key may
   * come twice, as with {@code SCAN}. The iterator blocks, and throws {@code LockStoreException}.
   */
  Iterator<List<byte[]>> scan(KeyScanArgs args);

  /** Runs a script where its first key is. */
  CompletableFuture<Object> run(LuaCall call);

  /** The lines of {@code CLIENT LIST} of all primaries. */
  CompletableFuture<List<String>> clientList();

  /** Asks for one batch of keys, of a cluster on one primary: to see whether that is permitted. */
  CompletableFuture<?> firstScan(KeyScanArgs args);

  /**
   * Facts about each primary.
   *
   * @param budget how long to look at the clock and the latency of each
   */
  CompletableFuture<List<ServerFacts>> facts(Duration budget);

  /** {@code PUBLISH} or {@code SPUBLISH} and its channels for a store of this library. */
  WakeUpBy wakeUpBy();

  /** How stores on this server listen for wake-ups. */
  enum WakeUpBy {
    /** A channel for each store; the server counts all receivers. */
    STORE_CHANNEL,
    /** A channel for each store; the server counts its own receivers. */
    STORE_CHANNEL_IN_CLUSTER,
    /** A channel for each store in the lock's slot. */
    SHARD_CHANNEL
  }

  /** {@code run_id} of a single server. */
  CompletableFuture<String> runId();

  /** Closes the connections. Blocks. Idempotent. */
  @Override
  void close();
}
