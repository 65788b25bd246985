package dev.leasehold.redis.set;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A script's reply: a number, bytes, a list of these, or nothing. */
final class ReplyOutput extends CommandOutput<byte[], byte[], Object> {
  private @Nullable List<@Nullable Object> list;

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
    list = new ArrayList<>();
    output = list;
  }
}
