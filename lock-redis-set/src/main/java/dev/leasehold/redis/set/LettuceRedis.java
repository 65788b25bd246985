package dev.leasehold.redis.set;

import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.WakeChannel;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * One or more Redis servers. A connection rejects commands while it is broken, and fails those that
 * were in flight when it broke: nothing is buffered and nothing is sent twice, so the answer to a
 * command is always that of its first execution. Thread-safe.
 */
interface LettuceRedis extends Sender, AutoCloseable {

  /**
   * Sets the connections' name in {@code CLIENT LIST}, unless an application's client has set one.
   */
  void name(String label);

  /** When a server is left. */
  Silence silence();

  /** How releases reach a store's waiters. */
  WakeChannel wakeChannel(String storeId, KeySpace keys);

  /** Opens a subscription connection that reconnects by itself. */
  CompletionStage<? extends StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub();

  /** Calls a listener whenever the primary that Sentinels name may have changed. */
  void onNewPrimary(Runnable listener);

  /** Runs a task after a delay, on the client's threads; it must not block. */
  void later(Duration delay, Runnable task);

  /** An id of the node that has a key. */
  String nodeOf(byte[] key);

  /** Whether one script may use keys of several locks. */
  boolean takesManyKeys();

  /** A section of {@code INFO} from every node that holds keys. Blocks. */
  List<String> info(String section);

  /** Closes the connections, and the client if the store owns it. Blocks. Idempotent. */
  @Override
  void close();
}
