package dev.leasehold.redisson;

import dev.leasehold.simulation.ModelServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What the stories of the adapter's kinds ask of a server whose clock stands still, all of the name
 * a. Times are in ms.
 */
public final class AdapterScene {
  private static final Keys KEYS = new Keys("a", "a");
  private static final List<String> PERMITS =
      List.of(KEYS.lock(), KEYS.permitEnds(), KEYS.permitChannel(), KEYS.permitDoor());
  private static final List<String> LATCH =
      List.of(KEYS.lock(), KEYS.latchRound(), KEYS.latchCounted());

  private long micros = 1_700_000_000_000_000L;

  /** The server. */
  public final ModelServer server = new ModelServer(() -> micros, "run1", script -> script);

  /** Time passes. */
  public void passes(long millis) {
    micros += millis * 1000;
  }

  private Object send(Script script, List<String> keys, String... arguments) {
    return server.call(AdapterScripts.eval(script, keys, List.of(arguments)));
  }

  /** How what a plain client adds to the holds of permits ends. */
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

  /** Leaves word that a token takes nothing any more. */
  public void isGone(String token) {
    send(Script.GONE, List.of(KEYS.gone(token), KEYS.gone(), KEYS.fence()));
  }

  /**
   * The fence, or what is not above 0 if it is refused; beside one's own write, if one is named.
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
    return (Long) server.call(AdapterScripts.eval(Script.SIDES_ACQUIRE, keys, arguments));
  }

  /** Gives a side back. */
  public long leaves(String token, boolean writes) {
    String holder = holder(token, writes);
    return (Long) send(Script.SIDES_RELEASE, sides(holder), holder, "PUBLISH");
  }

  /** Whether it has the side still. */
  public boolean renews(String token, boolean writes, long ttl) {
    String holder = holder(token, writes);
    List<String> keys = List.of(KEYS.lock(), KEYS.endOf(holder));
    return send(Script.SIDES_RENEW, keys, holder, Long.toString(ttl), "0").equals(List.of(1L));
  }

  /** The fences of the sides are none. */
  public void spoilFences() {
    server.call("HSET", KEYS.sidesFences(), "fence", "nonsense");
  }

  /** What is answered to who asks for so many of so many permits. */
  public Object asks(String token, long ttl, int wanted, int of, boolean waits) {
    return send(
        Script.PERMITS_ACQUIRE,
        with(PERMITS, KEYS.gone(token)),
        token,
        Long.toString(ttl),
        Integer.toString(wanted),
        Integer.toString(of),
        waits ? "1" : "0",
        "PUBLISH");
  }

  /** Gives permits back. */
  public long gives(String token) {
    return (Long) send(Script.PERMITS_RELEASE, PERMITS, token, "PUBLISH");
  }

  /** Waits no more. */
  public long waitsNoMore(String token) {
    return (Long) send(Script.PERMITS_LEAVE, PERMITS, token, "PUBLISH");
  }

  /** Whether it has its permits still. */
  public boolean renewsPermits(String token, long ttl) {
    List<String> keys = List.of(KEYS.permitEnds());
    return send(Script.PERMITS_RENEW, keys, token, Long.toString(ttl), "0").equals(List.of(1L));
  }

  /** How many permits there are, and how many of them are held. */
  public Object count() {
    return send(Script.PERMITS_COUNT, PERMITS);
  }

  /** How many there are now. */
  public long resizes(int from, int to) {
    return (Long)
        send(
            Script.PERMITS_RESIZE,
            PERMITS,
            Integer.toString(from),
            Integer.toString(to),
            "PUBLISH");
  }

  /** Whether this round is the latch that is there. */
  public boolean opens(String round, int count, long keptFor) {
    String channel = KEYS.latchChannel();
    return send(
            Script.LATCH_OPEN,
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
    return send(Script.LATCH_COUNT_DOWN, LATCH, token, "PUBLISH", KEYS.latchChannel()).equals(1L);
  }

  /** How many count-downs are missing. */
  public long missing() {
    return (Long) ((List<?>) send(Script.LATCH_LOOK, LATCH, "PUBLISH", KEYS.latchChannel())).get(1);
  }

  /** What is told to those who wait at the latch. */
  public List<String> told() {
    List<String> heard = new ArrayList<>();
    server.subscribe(KEYS.latchChannel(), (channel, message) -> heard.add(message));
    return heard;
  }
}
