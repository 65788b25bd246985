package dev.leasehold.admin;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A script's reply: a number, bytes, nothing, or lists of these, nested to any depth. */
final class NestedReply extends CommandOutput<byte[], byte[], Object> {

  /** A list whose elements are not complete yet. */
  private static final class Open {
    final List<@Nullable Object> list = new ArrayList<>();
    int left;

    Open(int count) {
      left = count;
    }
  }

  private final Deque<Open> open = new ArrayDeque<>();

  NestedReply() {
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

  @Override
  public void multi(int count) {
    if (count < 0) {
      add(null);
      return;
    }
    Open inner = new Open(count);
    Open outer = open.peek();
    if (outer == null) {
      output = inner.list;
    } else {
      outer.list.add(inner.list);
      outer.left--;
    }
    open.push(inner);
    endFull();
  }

  private void add(@Nullable Object element) {
    Open into = open.peek();
    if (into == null) {
      output = element;
      return;
    }
    into.list.add(element);
    into.left--;
    endFull();
  }

  private void endFull() {
    for (Open last = open.peek(); last != null && last.left == 0; last = open.peek()) {
      open.pop();
    }
  }
}
