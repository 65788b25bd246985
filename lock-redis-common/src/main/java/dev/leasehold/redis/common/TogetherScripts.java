package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.SeveralStore.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Several locks of the scheme with fences in one step, whatever the client. Immutable. */
public final class TogetherScripts {
  private final Script acquire;
  private final KeySpace space;

  private TogetherScripts(Script acquire, KeySpace space) {
    this.acquire = acquire;
    this.space = space;
  }

  /** For a store that sends everything by one connection, which keeps its order. */
  public TogetherScripts(KeySpace space) {
    this(Script.TOGETHER, space);
  }

  /**
   * For a store whose calls go by several connections. A release that leaves word on the server
   * ({@link FencedScripts#releaseForGood}), of any of the tokens, has an acquisition that comes
   * after it take none.
   */
  public static TogetherScripts bySeveralConnections(KeySpace space) {
    return new TogetherScripts(Script.SETNX_TOGETHER, space);
  }

  /** What a message calls it, before the name of the first lock. */
  public static String acquiring(List<AcquireRequest> requests) {
    return requests.size() == 1 ? "acquire" : "acquire, with " + (requests.size() - 1) + " others,";
  }

  /**
   * Takes all or none; {@link #acquired} tells what the answer means.
   *
   * @param beside what is held already
   */
  public ScriptRequest acquire(List<AcquireRequest> requests, List<LeaseKey> beside) {
    List<LeaseKey> all = new ArrayList<>(beside.size() + requests.size());
    requests.forEach(request -> all.add(request.key()));
    all.addAll(beside);
    List<byte[]> keys = new ArrayList<>();
    List<LockKeys> each = all.stream().map(key -> space.keys(key.name())).toList();
    each.forEach(of -> keys.add(of.lock()));
    each.forEach(of -> keys.add(of.fence()));
    if (acquire == Script.SETNX_TOGETHER) {
      requests.forEach(request -> keys.add(space.gone(request.key())));
    }
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(ascii(Long.toString(requests.get(0).ttl().toMillis())));
    arguments.add(ascii(Integer.toString(requests.size())));
    all.forEach(key -> arguments.add(ascii(key.token())));
    return new ScriptRequest(
        acquire, keys.toArray(byte[][]::new), arguments.toArray(byte[][]::new));
  }

  /** What the answer to {@link #acquire} means: a number, or a list of some. */
  public static Answer acquired(List<AcquireRequest> requests, Object reply) {
    if (!(reply instanceof List<?> replies)) {
      return new Answer.Granted(OptionalLong.of((Long) reply), requests.get(0).ttl());
    }
    Map<Integer, Held> held = new HashMap<>();
    for (int i = 0; i < replies.size(); i++) {
      long number = (Long) replies.get(i);
      if (number != 0) {
        held.put(i, new Held(Duration.ofMillis(-1 - number)));
      }
    }
    return new Answer.Refused(held);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
