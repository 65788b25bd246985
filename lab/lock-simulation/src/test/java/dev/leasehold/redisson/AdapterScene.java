package dev.leasehold.redisson;

import dev.leasehold.simulation.ModelServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A server with a manual clock for the stories of the adapter's kinds; all calls are about the name
 * a. Times are in ms.
 */
public class AdapterScene {
  private static final Keys KEYS = new Keys("a", "a");
  private static final List<String> PERMITS =
      List.of(KEYS.lock(), KEYS.permitEnds(), KEYS.permitChannel(), KEYS.permitDoor());
  private static final List<String> LATCH =
      List.of(KEYS.lock(), KEYS.latchRound(), KEYS.latchCounted());

  private long micros = 1_700_000_000_000_000L;

  /** The server. */
  public final ModelServer server = new ModelServer(() -> micros, "run1", script -> script);

  /** Advances the time. */
  public void passes(long millis) {
    micros += millis * 1000;
  }

  private Object send(RedissonScript script, List<String> keys, String... arguments) {
    return server.call(AdapterScripts.eval(script, keys, List.of(arguments)));
  }

  /** Adds a plain client's permit that ends after this time. */
  public void plainPermit(String id, long millis) {
    server.call("ZADD", KEYS.permitEnds(), Long.toString(micros / 1000 + millis), id);
  }

  private static String holder(String token, boolean writes) {
    return writes ? token + ":write" : token;
  }

  private static List<String> sides(String holder) {
    return List.of(
        KEYS.lock(), KEYS.ends(), KEYS.sidesChannel(), KEYS.endOf(holder), KEYS.sidesFences());
  }

  private static List<String> with(List<String> keys, String another) {
    List<String> all = new ArrayList<>(keys);
    all.add(another);
    return all;
  }

  /** Marks a token as one that must not take anything any more. */
  public void isGone(String token) {
    send(RedissonScript.GONE, List.of(KEYS.gone(token), KEYS.gone(), KEYS.fence()));
  }

  /**
   * Enters a side; returns the fence, or a value not above 0 if refused; optionally next to one's
   * own write.
   */
  public long enters(String token, boolean writes, long ttl, String beside) {
    String holder = holder(token, writes);
    List<String> arguments = new ArrayList<>();
    arguments.addAll(
        List.of(
            holder,
            Long.toString(ttl),
            writes ? "w" : "r",
            beside.isEmpty() ? "" : holder(beside, true)));
    arguments.addAll(Collections.nCopies(9, ""));
    arguments.add("0");
    List<String> keys = with(sides(holder), KEYS.gone(token));
    return (Long) server.call(AdapterScripts.eval(RedissonScript.SIDES_ACQUIRE, keys, arguments));
  }

  /** Releases a side. */
  public long leaves(String token, boolean writes) {
    String holder = holder(token, writes);
    return (Long) send(RedissonScript.SIDES_RELEASE, sides(holder), holder, "PUBLISH");
  }

  /** Whether it still holds the side. */
  public boolean renews(String token, boolean writes, long ttl) {
    String holder = holder(token, writes);
    List<String> keys = List.of(KEYS.lock(), KEYS.endOf(holder));
    return send(RedissonScript.SIDES_RENEW, keys, holder, Long.toString(ttl), "0")
        .equals(List.of(1L));
  }

  /** Replaces the sides' fences by invalid ones. */
  public void spoilFences() {
    server.call("HSET", KEYS.sidesFences(), "fence", "nonsense");
  }

  /** The answer to a request for some of so many permits. */
  public Object asks(String token, long ttl, int wanted, int of, boolean waits) {
    return send(
        RedissonScript.PERMITS_ACQUIRE,
        with(PERMITS, KEYS.gone(token)),
        token,
        Long.toString(ttl),
        Integer.toString(wanted),
        Integer.toString(of),
        waits ? "1" : "0",
        "PUBLISH");
  }

  /** Releases permits. */
  public long gives(String token) {
    return (Long) send(RedissonScript.PERMITS_RELEASE, PERMITS, token, "PUBLISH");
  }

  /** Leaves the line. */
  public long waitsNoMore(String token) {
    return (Long) send(RedissonScript.PERMITS_LEAVE, PERMITS, token, "PUBLISH");
  }

  /** Whether it still holds its permits. */
  public boolean renewsPermits(String token, long ttl) {
    List<String> keys = List.of(KEYS.permitEnds());
    return send(RedissonScript.PERMITS_RENEW, keys, token, Long.toString(ttl), "0")
        .equals(List.of(1L));
  }

  /** The total number of permits and the number held. */
  public Object count() {
    return send(RedissonScript.PERMITS_COUNT, PERMITS);
  }

  /** Changes the number of permits; returns the current one. */
  public long resizes(int from, int to) {
    return (Long)
        send(
            RedissonScript.PERMITS_RESIZE,
            PERMITS,
            Integer.toString(from),
            Integer.toString(to),
            "PUBLISH");
  }

  /** Whether this round is the existing latch. */
  public boolean opens(String round, int count, long keptFor) {
    String channel = KEYS.latchChannel();
    return send(
            RedissonScript.LATCH_OPEN,
            LATCH,
            round,
            Integer.toString(count),
            Long.toString(keptFor),
            "PUBLISH",
            channel)
        .equals(1L);
  }

  /** Whether it counted, now or before. */
  public boolean countsDown(String token) {
    return send(RedissonScript.LATCH_COUNT_DOWN, LATCH, token, "PUBLISH", KEYS.latchChannel())
        .equals(1L);
  }

  /** The number of count-downs missing. */
  public long missing() {
    return (Long)
        ((List<?>) send(RedissonScript.LATCH_LOOK, LATCH, "PUBLISH", KEYS.latchChannel())).get(1);
  }

  /** The messages to the latch's waiters. */
  public List<String> told() {
    List<String> heard = new ArrayList<>();
    server.subscribe(KEYS.latchChannel(), (channel, message) -> heard.add(message));
    return heard;
  }
}
