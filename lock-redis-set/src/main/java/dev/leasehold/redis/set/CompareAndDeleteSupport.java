package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.LockStoreException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which node has which compare-and-delete, determined once for each node on its first use, by
 * {@code COMMAND INFO}. Until the answer is there, and if the command is not permitted, scripts are
 * used. Thread-safe.
 */
final class CompareAndDeleteSupport {
  private final LettuceRedis redis;
  private final ConcurrentHashMap<String, CompareAndDelete> byNode = new ConcurrentHashMap<>();

  CompareAndDeleteSupport(LettuceRedis redis) {
    this.redis = redis;
  }

  /** What the node of a key supports, as far as known. Does not wait. */
  CompareAndDelete of(byte[] key) {
    String node = redis.nodeOf(key);
    CompareAndDelete known = byNode.get(node);
    if (known != null) {
      return known;
    }
    if (byNode.putIfAbsent(node, CompareAndDelete.NONE) == null) {
      new Question(redis, key)
          .send()
          .whenComplete(
              (found, failure) -> {
                if (failure == null) {
                  byNode.put(node, found);
                } else if (!isRefusal(failure)) {
                  byNode.remove(node); // to be tried again
                }
              });
    }
    return CompareAndDelete.NONE;
  }

  private static boolean isRefusal(Throwable failure) {
    return failure instanceof LockStoreException e && e.kind() == LockStoreException.Kind.REFUSED;
  }

  /** The node does not have it after all: another server has taken its place. */
  void lacks(byte[] key) {
    byNode.put(redis.nodeOf(key), CompareAndDelete.NONE);
  }

  private static final class Question extends PendingCommand<List<Object>, CompareAndDelete> {
    private final byte[] key;

    Question(LettuceRedis redis, byte[] key) {
      super(
          redis,
          "ask the server of",
          new String(key, UTF_8),
          CommandType.COMMAND,
          new NestedMultiOutput<>(ByteArrayCodec.INSTANCE),
          args()
              .add("INFO")
              .add(CompareAndDelete.DELEX.command().toString())
              .add(CompareAndDelete.DELIFEQ.command().toString()));
      this.key = key;
    }

    @Override
    byte[] routingKey() {
      return key;
    }

    /** The reply has each command's description, or nil. */
    @Override
    CompareAndDelete meaning(List<Object> reply) {
      return isThere(reply, 0)
          ? CompareAndDelete.DELEX
          : isThere(reply, 1) ? CompareAndDelete.DELIFEQ : CompareAndDelete.NONE;
    }

    private static boolean isThere(List<Object> reply, int i) {
      return reply.size() > i
          && reply.get(i) instanceof List<?> description
          && !description.isEmpty();
    }
  }
}
