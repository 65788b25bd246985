package dev.leasehold.redisson;

import static dev.leasehold.redis.common.Script.DRAW_FENCE;
import static dev.leasehold.redis.common.Script.DRAW_SIDE_FENCE;
import static dev.leasehold.redis.common.Script.GIVE_BACK_NUMBERS;
import static dev.leasehold.redis.common.Script.GIVE_BACK_SIDE_NUMBERS;
import static dev.leasehold.redis.common.Script.GUARD;
import static dev.leasehold.redis.common.Script.NOT_GONE;
import static dev.leasehold.redis.common.Script.RAISE_FENCE;
import static dev.leasehold.redis.common.Script.VOTE;

import dev.leasehold.redis.common.ScriptText;
import java.nio.charset.StandardCharsets;

/** The Lua scripts: resources, whose headers describe keys, arguments and reply. */
enum RedissonScript {
  /** Acquires a plain lock. */
  ACQUIRE(read("take"), common(DRAW_FENCE)),
  /** Acquires a fair lock, or queues for it. */
  FAIR_ACQUIRE(read("line"), read("fair-take"), common(DRAW_FENCE)),
  /** Releases a plain lock. */
  RELEASE(read("holds"), read("release")),
  /** {@link #RELEASE} for a lease with unused fencing numbers. */
  RELEASE_RUN(read("holds"), common(GIVE_BACK_NUMBERS), read("release")),
  /**
   * Marks a token before its release if its acquisition may arrive later, which is then refused.
   */
  GONE(common(dev.leasehold.redis.common.Script.GONE)),
  /** Releases a lock of either kind, and keeps it taken for a while. */
  KEEP(read("keep")),
  /** Releases a fair lock. */
  FAIR_RELEASE(read("line"), read("fair-release")),
  /** Removes a waiter from the queue. */
  FAIR_LEAVE(read("line"), read("fair-leave")),
  /** Renews many leases. */
  RENEW(read("renew")),
  /** Looks up a lock's holder. */
  INSPECT(read("inspect")),
  /** Acquires a plain lock on a node of a quorum, which may have forgotten locks. */
  NODE_ACQUIRE(common(GUARD), read("take"), common(DRAW_FENCE), common(VOTE)),
  /** Raises a fence. */
  RAISE(read("holds"), common(RAISE_FENCE)),
  /** Acquires a side of a read/write lock. */
  SIDES_ACQUIRE(
      common(NOT_GONE),
      read("sides"),
      read("sides-drop"),
      common(DRAW_SIDE_FENCE),
      read("sides-take")),
  /** Releases a side. */
  SIDES_RELEASE(read("sides"), common(GIVE_BACK_SIDE_NUMBERS), read("sides-release")),
  /** Renews many holds of sides. */
  SIDES_RENEW(read("sides-renew")),
  /** Looks up a side's holder. */
  SIDES_INSPECT(read("sides"), read("sides-inspect")),
  /** Acquires permits of a semaphore. */
  PERMITS_ACQUIRE(common(NOT_GONE), read("permits"), read("permits-take")),
  /** Releases permits. */
  PERMITS_RELEASE(read("permits"), read("permits-release")),
  /** Removes the reservation of a waiter for permits. */
  PERMITS_LEAVE(read("permits"), read("permits-leave")),
  /** Renews many leases of permits. */
  PERMITS_RENEW(read("permits-renew")),
  /** Counts the permits, and those held. */
  PERMITS_COUNT(read("permits"), read("permits-count")),
  /** Changes the number of permits. */
  PERMITS_RESIZE(read("permits"), read("permits-resize")),
  /** Opens a latch. */
  LATCH_OPEN(read("latch"), read("latch-open")),
  /** Counts a latch down by one. */
  LATCH_COUNT_DOWN(read("latch"), read("latch-count-down")),
  /** Reads a latch. */
  LATCH_LOOK(read("latch"), read("latch-look")),
  /** Registers a quorum's client and the server's run. */
  ENTER(common(dev.leasehold.redis.common.Script.ENTER));

  private final String body;
  private final String sha;

  RedissonScript(byte[]... parts) {
    ScriptText text = ScriptText.of(parts);
    body = new String(text.body(), StandardCharsets.UTF_8);
    sha = new String(text.sha(), StandardCharsets.US_ASCII);
  }

  /** A part from lock-redis-common. */
  private static byte[] common(dev.leasehold.redis.common.Script part) {
    return part.body();
  }

  /** A file beside this class. */
  private static byte[] read(String name) {
    return ScriptText.read(name, file -> RedissonScript.class.getResourceAsStream(file));
  }

  String body() {
    return body;
  }

  /** Its SHA-1 in hexadecimal digits. */
  String sha() {
    return sha;
  }
}
