package dev.leasehold.redis.set;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reply: a number, bytes, a list of replies, or nothing. */
final class ReplyOutput extends CommandOutput<byte[], byte[], Object> {
  private @Nullable List<@Nullable Object> list;

  /** The lists around that one, the innermost first; null as long as there was none. */
  private @Nullable Deque<List<@Nullable Object>> outer;

  ReplyOutput() {
    super(ByteArrayCodec.INSTANCE, null);
  }

  @Override
  public void set(long number) {
    add(number);
  }

  @Override
  public void set(@Nullable ByteBuffer bytes) {
    add(bytes == null ? null : codec.decodeValue(bytes));
  }

  private void add(@Nullable Object reply) {
    if (list == null) {
      output = reply;
    } else {
      list.add(reply);
    }
  }

  @Override
  public void multi(int count) {
    List<@Nullable Object> before = list;
    List<@Nullable Object> inner = new ArrayList<>();
    add(inner);
    list = inner;
    if (before != null) {
      if (outer == null) {
        outer = new ArrayDeque<>();
      }
      outer.push(before);
    }
  }

  /** A reply at this depth is complete. */
  @Override
  public void complete(int depth) {
    if (outer != null && depth > 0 && depth <= outer.size()) {
      list = outer.pop();
    }
  }
}
