package dev.leasehold.redis.set;

import dev.leasehold.redis.common.KeySpace;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A Redis, however many nodes it has. Its connection rejects commands while it is broken, and fails
 * those that were under way when it broke: nothing is buffered and nothing is sent twice, so that
 * the answer to a command is always the answer to its first execution. Thread-safe.
 */
interface Redis extends Sender, AutoCloseable {

  /**
   * What the connections are called in the server's list of clients, unless the client that was
   * handed in gives them a name.
   */
  void name(String label);

  /** How releases reach a store's waiters here. */
  WakeChannel wakeChannel(String storeId, KeySpace keys);

  /** Connects for messages, and comes back by itself after a break. */
  CompletionStage<? extends StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub();

  /** Calls a listener each time when the primary that Sentinels name may be another one. */
  void onNewPrimary(Runnable listener);

  /** Runs something a little later, on the client's threads; it must not block. */
  void later(Duration delay, Runnable task);

  /** A name for the node that has a key, the same as long as it is the same node. */
  String nodeOf(byte[] key);

  /** Whether one script may take keys of several locks. */
  boolean takesManyKeys();

  /** A section of {@code INFO} of every node that holds keys. Blocks. */
  List<String> info(String section);

  /** Closes the connections, and the client if it is ours. Blocks. Idempotent. */
  @Override
  void close();
}
