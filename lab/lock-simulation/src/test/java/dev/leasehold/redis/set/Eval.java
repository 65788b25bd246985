package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.redis.common.ScriptRequest;
import java.util.ArrayList;
import java.util.List;

/** A request by a script as the words of an {@code EVAL}, for a modelled server. */
public final class Eval {
  private Eval() {}

  /** The words. */
  public static List<String> words(ScriptRequest request) {
    List<String> words = new ArrayList<>();
    words.add("EVAL");
    words.add(new String(request.script().body(), US_ASCII));
    words.add(Integer.toString(request.keys().length));
    for (byte[] key : request.keys()) {
      words.add(new String(key, US_ASCII));
    }
    for (byte[] argument : request.arguments()) {
      words.add(new String(argument, US_ASCII));
    }
    return words;
  }
}
