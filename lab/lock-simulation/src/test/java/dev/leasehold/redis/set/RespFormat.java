package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.simulation.ReplyError;
import dev.leasehold.simulation.Status;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.protocol.RedisStateMachine;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/** Converts Lettuce's requests to words, and replies to Lettuce's outputs. */
final class RespFormat {
  private static final byte[] END = {'\r', '\n'};

  private RespFormat() {}

  /** A command as sent over the wire. */
  static List<String> words(RedisCommand<byte[], byte[], ?> call) {
    ByteBuf buffer = Unpooled.buffer(512);
    call.getArgs().encode(buffer);
    List<String> words = new ArrayList<>();
    words.add(new String(call.getType().getBytes(), US_ASCII));
    while (buffer.isReadable()) {
      int length = 0;
      buffer.skipBytes(1); // '$'
      for (byte digit = buffer.readByte(); digit != '\r'; digit = buffer.readByte()) {
        length = 10 * length + digit - '0';
      }
      buffer.skipBytes(1);
      words.add(buffer.readCharSequence(length, US_ASCII).toString());
      buffer.skipBytes(2);
    }
    return words;
  }

  /** Decodes a reply into Lettuce's output. */
  static void decode(Object reply, CommandOutput<byte[], byte[], ?> output) {
    ByteBuf buffer = Unpooled.buffer(128);
    write(reply, buffer);
    RedisStateMachine machine = new RedisStateMachine();
    try {
      if (!machine.decode(buffer, output)) {
        throw new IllegalStateException("not a whole reply: " + reply);
      }
    } finally {
      machine.close();
    }
  }

  private static void write(Object reply, ByteBuf to) {
    if (reply == null) {
      line(to, '$', "-1");
    } else if (reply instanceof Long number) {
      line(to, ':', number.toString());
    } else if (reply instanceof String text) {
      line(to, '$', Integer.toString(text.length()));
      to.writeBytes(text.getBytes(US_ASCII)).writeBytes(END);
    } else if (reply instanceof Status status) {
      line(to, '+', status.word());
    } else if (reply instanceof ReplyError error) {
      line(to, '-', error.words());
    } else {
      List<?> list = (List<?>) reply;
      line(to, '*', Integer.toString(list.size()));
      list.forEach(each -> write(each, to));
    }
  }

  private static void line(ByteBuf to, char kind, String words) {
    to.writeByte(kind).writeBytes(words.getBytes(US_ASCII)).writeBytes(END);
  }
}
