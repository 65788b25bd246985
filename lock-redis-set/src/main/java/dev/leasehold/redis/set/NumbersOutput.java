package dev.leasehold.redis.set;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A number, or a list of two: what acquire.lua answers. */
final class NumbersOutput extends CommandOutput<byte[], byte[], Object> {
  private boolean isList;
  private @Nullable Long first;

  NumbersOutput() {
    super(ByteArrayCodec.INSTANCE, null);
  }

  @Override
  public void set(long number) {
    Long before = first;
    if (before == null) {
      first = number;
      output = isList ? List.of(number) : (Object) number;
    } else {
      output = List.of(before, number);
    }
  }

  @Override
  public void multi(int count) {
    isList = true;
  }
}
