package dev.leasehold.redis.set;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A number or a list of numbers: the replies of acquisitions. */
final class NumbersOutput extends CommandOutput<byte[], byte[], Object> {
  private @Nullable List<Long> list;

  NumbersOutput() {
    super(ByteArrayCodec.INSTANCE, null);
  }

  @Override
  public void set(long number) {
    List<Long> some = list;
    if (some == null) {
      output = number;
    } else {
      some.add(number);
    }
  }

  @Override
  public void multi(int count) {
    List<Long> some = new ArrayList<>();
    list = some;
    output = some;
  }
}
