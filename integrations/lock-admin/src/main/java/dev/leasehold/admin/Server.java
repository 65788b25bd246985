package dev.leasehold.admin;

import io.lettuce.core.KeyScanArgs;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One Redis server, or one cluster. Methods do not block unless they say so. Thread-safe. */
interface Server extends AutoCloseable {

  /** Returns its address for display, without credentials. */
  String address();

  /**
   * Scans the keys of all primaries, in batches that are fetched on demand. A key may be returned
   * twice, as by {@code SCAN}. The iterator blocks, and throws {@code LockStoreException}.
   */
  Iterator<List<byte[]>> scan(KeyScanArgs args);

  /** Runs a script on the server of its first key. */
  CompletableFuture<Object> run(LuaCall call);

  /** Returns the lines of {@code CLIENT LIST} of all primaries. */
  CompletableFuture<List<String>> clientList();

  /** Requests one batch of keys, from one primary of a cluster, to check that this is permitted. */
  CompletableFuture<?> firstScan(KeyScanArgs args);

  /**
   * Returns facts about each primary.
   *
   * @param budget how long to measure the clock and the latency of each
   */
  CompletableFuture<List<ServerFacts>> facts(Duration budget);

  /**
   * Returns how a store of this library is notified on this server: {@code PUBLISH} or {@code
   * SPUBLISH}, and the channel.
   */
  WakeUpBy wakeUpBy();

  /** How stores on this server listen for wake-ups. */
  enum WakeUpBy {
    /** One channel per store; the server counts all receivers. */
    STORE_CHANNEL,
    /** One channel per store; each server of the cluster counts only its own receivers. */
    STORE_CHANNEL_IN_CLUSTER,
    /** One channel per store in the lock's slot. */
    SHARD_CHANNEL
  }

  /** Returns the {@code run_id} of a single server. */
  CompletableFuture<String> runId();

  /** Closes the connections. Blocks. Idempotent. */
  @Override
  void close();
}
