package dev.leasehold.redisson;

import static dev.leasehold.redis.common.Script.DRAW_FENCE;
import static dev.leasehold.redis.common.Script.DRAW_SIDE_FENCE;
import static dev.leasehold.redis.common.Script.GIVE_BACK_NUMBERS;
import static dev.leasehold.redis.common.Script.GIVE_BACK_SIDE_NUMBERS;
import static dev.leasehold.redis.common.Script.HISTORY;
import static dev.leasehold.redis.common.Script.NOT_GONE;
import static dev.leasehold.redis.common.Script.RAISE_FENCE;
import static dev.leasehold.redis.common.Script.VOTE;

import dev.leasehold.redis.common.ScriptText;
import java.nio.charset.StandardCharsets;

/** The Lua scripts: resources, whose header tells keys, arguments and reply. */
enum Script {
  /** Takes a plain lock. */
  ACQUIRE(read("take"), common(DRAW_FENCE)),
  /** Takes a fair lock, or stands in line. */
  FAIR_ACQUIRE(read("line"), read("fair-take"), common(DRAW_FENCE)),
  /** Frees a plain lock. */
  RELEASE(read("holds"), read("release")),
  /** {@link #RELEASE} of a lease that has fencing numbers left. */
  RELEASE_RUN(read("holds"), common(GIVE_BACK_NUMBERS), read("release")),
  /** Leaves word before the release of a token whose acquisition may still come: it is refused. */
  GONE(common(dev.leasehold.redis.common.Script.GONE)),
  /** Frees a lock of either kind, and keeps it taken for a while. */
  KEEP(read("keep")),
  /** Frees a fair lock. */
  FAIR_RELEASE(read("line"), read("fair-release")),
  /** Takes a waiter out of the line. */
  FAIR_LEAVE(read("line"), read("fair-leave")),
  /** Renews many leases. */
  RENEW(read("renew")),
  /** Who has a lock. */
  INSPECT(read("inspect")),
  /** Takes a plain lock on a node of a quorum, which may have forgotten locks. */
  NODE_ACQUIRE(common(HISTORY), read("node"), read("take"), common(DRAW_FENCE), common(VOTE)),
  /** Makes a fence larger. */
  RAISE(read("holds"), common(RAISE_FENCE)),
  /** Takes a side of a read/write lock. */
  SIDES_ACQUIRE(
      common(NOT_GONE),
      read("sides"),
      read("sides-drop"),
      common(DRAW_SIDE_FENCE),
      read("sides-take")),
  /** Gives a side back. */
  SIDES_RELEASE(read("sides"), common(GIVE_BACK_SIDE_NUMBERS), read("sides-release")),
  /** Renews many holds of sides. */
  SIDES_RENEW(read("sides-renew")),
  /** Who has a side. */
  SIDES_INSPECT(read("sides"), read("sides-inspect")),
  /** Takes permits of a semaphore. */
  PERMITS_ACQUIRE(common(NOT_GONE), read("permits"), read("permits-take")),
  /** Gives permits back. */
  PERMITS_RELEASE(read("permits"), read("permits-release")),
  /** Opens the door that a waiter for permits holds. */
  PERMITS_LEAVE(read("permits"), read("permits-leave")),
  /** Renews many leases of permits. */
  PERMITS_RENEW(read("permits-renew")),
  /** How many permits there are, and are held. */
  PERMITS_COUNT(read("permits"), read("permits-count")),
  /** Changes the number of permits. */
  PERMITS_RESIZE(read("permits"), read("permits-resize")),
  /** Opens a latch. */
  LATCH_OPEN(read("latch"), read("latch-open")),
  /** Takes one off a latch. */
  LATCH_COUNT_DOWN(read("latch"), read("latch-count-down")),
  /** Looks at a latch. */
  LATCH_LOOK(read("latch"), read("latch-look")),
  /** Notes that a client of a quorum has met a run of the server. */
  ENTER(common(dev.leasehold.redis.common.Script.ENTER));

  private final String body;
  private final String sha;

  Script(byte[]... parts) {
    ScriptText text = ScriptText.of(parts);
    body = new String(text.body(), StandardCharsets.UTF_8);
    sha = new String(text.sha(), StandardCharsets.US_ASCII);
  }

  /** A part that lock-redis-common has for all schemes. */
  private static byte[] common(dev.leasehold.redis.common.Script part) {
    return part.body();
  }

  /** A file beside this class. */
  private static byte[] read(String name) {
    return ScriptText.read(name, file -> Script.class.getResourceAsStream(file));
  }

  String body() {
    return body;
  }

  /** Its SHA-1 in hexadecimal digits. */
  String sha() {
    return sha;
  }
}
