package dev.leasehold.redis.set;

import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A Redis, however many nodes it has. Its connection rejects commands while it is broken, and fails
 * those that were under way when it broke: nothing is buffered and nothing is sent twice, so that
 * the answer to a command is always the answer to its first execution. Thread-safe.
 */
interface Redis extends AutoCloseable {

  /** Sends a command; the command reports every failure. Never blocks. */
  void send(RedisCommand<byte[], byte[], ?> command);

  /** Connects for messages. */
  CompletionStage<? extends StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub();

  /** Whether one script may take keys of several locks. */
  boolean takesManyKeys();

  /** Asks every node that holds keys the same. Blocks. */
  List<String> info(String section);

  /** Closes the connection, and the client if it is ours. Blocks. Idempotent. */
  @Override
  void close();
}
