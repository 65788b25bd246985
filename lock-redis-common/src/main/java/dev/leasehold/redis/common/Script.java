package dev.leasehold.redis.common;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The Lua scripts: resources, whose headers describe keys, arguments and reply. Send {@link #sha()}
 * by {@code EVALSHA}; on {@code NOSCRIPT}, {@link #body()} by {@code EVAL}, which also caches it on
 * the server.
 */
public enum Script {
  /** Acquires a lock by {@code SET NX PX} and draws its fence. */
  ACQUIRE("marks", "take-set", "draw", "numbers", "acquire", "fence"),
  /** The same by {@code SETNX} and {@code PEXPIRE}. */
  SETNX_ACQUIRE("marks", "take-setnx", "draw", "numbers", "acquire", "fence"),
  /** {@link #ACQUIRE} in the order of arrival. */
  FAIR_ACQUIRE("marks", "numbers", "take-set", "pass-on", "fair", "acquire", "fence"),
  /** {@link #SETNX_ACQUIRE} in the order of arrival. */
  SETNX_FAIR_ACQUIRE("marks", "numbers", "take-setnx", "pass-on", "fair", "acquire", "fence"),
  /** {@link #ACQUIRE} on a node of a quorum, which may have forgotten locks. */
  GUARDED_ACQUIRE(
      "history",
      "usual",
      "voters",
      "guard",
      "marks",
      "take-set",
      "draw",
      "numbers",
      "acquire",
      "fence",
      "vote"),
  /** {@link #GUARDED_ACQUIRE} in the order of arrival. */
  GUARDED_FAIR_ACQUIRE(
      "history",
      "usual",
      "voters",
      "guard",
      "marks",
      "numbers",
      "take-set",
      "pass-on",
      "fair",
      "acquire",
      "fence",
      "vote"),
  /**
   * The beginning of acquisitions that refuse a token marked by {@link #GONE}; not used by itself.
   */
  NOT_GONE("several-not-gone"),
  /** The beginning of scripts that read a quorum node's marker; not used by itself. */
  HISTORY("history", "voters"),
  /** The beginning of acquisitions on a quorum's nodes; not used by itself. */
  GUARD("history", "usual", "voters", "guard"),
  /** The end of the acquisitions on a quorum's nodes; not used by itself. */
  VOTE("vote"),
  /** Acquires several locks, all or none, and draws one fence for all. */
  TOGETHER("marks", "numbers", "together-set", "together"),
  /** The same by {@code SETNX} and {@code PEXPIRE}, for a store with several connections. */
  SETNX_TOGETHER("marks", "numbers", "together-setnx", "together"),
  /** Releases several locks, or passes each on to one of its waiters. */
  TOGETHER_RELEASE("marks", "pass-on", "together-release"),
  /** Registers a quorum's client and the server's run. */
  ENTER("history", "voters", "enter"),
  /** Reads the server's clock. */
  TIME("time"),
  /** Raises a fence. */
  RAISE("marks", "holds", "numbers", "raise"),
  /** The end of every acquisition that draws a fence; not used by itself. */
  DRAW_FENCE("numbers", "fence"),
  /** The end of {@link #RAISE}; not used by itself. */
  RAISE_FENCE("numbers", "raise"),
  /** The part of a release that gives fencing numbers back; not used by itself. */
  GIVE_BACK_NUMBERS("numbers", "unused"),
  /** The end of every acquisition of a side that draws a fence; not used by itself. */
  DRAW_SIDE_FENCE("numbers", "readwrite-fence"),
  /** {@link #GIVE_BACK_NUMBERS} for a writer; not used by itself. */
  GIVE_BACK_SIDE_NUMBERS("readwrite-unused"),
  /** Releases a lock, or passes it on to one waiter. */
  RELEASE("marks", "release", "free", "pass-on", "pass"),
  /** {@link #RELEASE} for a lease with unused fencing numbers. */
  RELEASE_RUN("marks", "release", "numbers", "unused", "free", "pass-on", "pass"),
  /** Releases a lock without waking a waiter. */
  WITHDRAW("marks", "release", "withdraw"),
  /**
   * Marks a token before its release if its acquisition may arrive later, which is then refused.
   */
  GONE("numbers", "gone-mark"),
  /** Releases a lock, of any mode, and keeps it taken for a while. */
  KEEP("marks", "keep"),
  /** Asks the manager that has a lease to give it back. */
  RECALL("recall"),
  /** Renews many leases. */
  RENEW("marks", "renew"),
  /** Removes a waiter from the queue. */
  LEAVE("leave", "free", "pass-on", "pass"),
  /** Acquires permits of a semaphore. */
  PERMITS_ACQUIRE("several-not-gone", "permits", "permits-number", "line", "several-acquire"),
  /** Releases permits. */
  PERMITS_RELEASE("permits", "line", "several-release"),
  /** Releases some permits of a lease. */
  PERMITS_SHRINK("permits", "line", "permits-shrink"),
  /** Removes a waiter for permits from the queue. */
  PERMITS_LEAVE("permits", "line", "several-leave"),
  /** Changes the number of permits. */
  PERMITS_RESIZE("permits", "line", "permits-resize"),
  /** Counts the permits, and those held. */
  PERMITS_COUNT("permits-count"),
  /** Acquires slots of a semaphore on a node of a quorum, and draws their fence. */
  GUARDED_SLOTS_ACQUIRE(
      "history",
      "usual",
      "voters",
      "guard",
      "node-not-gone",
      "permits",
      "numbers",
      "slots",
      "permits-number",
      "line",
      "several-acquire",
      "vote"),
  /** Releases slots. */
  SLOTS_RELEASE("permits", "numbers", "slots", "line", "several-release"),
  /** Removes a waiter for slots from the queue. */
  SLOTS_LEAVE("permits", "numbers", "slots", "line", "several-leave"),
  /** Raises the fences of slots. */
  SLOTS_RAISE("permits", "numbers", "slots", "slots-raise"),
  /** Counts the slots, and those held. */
  SLOTS_COUNT("slots-count"),
  /** Acquires a side of a read/write lock, and draws its fence. */
  READ_WRITE_ACQUIRE(
      "several-not-gone", "readwrite", "numbers", "readwrite-fence", "line", "several-acquire"),
  /** {@link #READ_WRITE_ACQUIRE} on a node of a quorum. */
  GUARDED_READ_WRITE_ACQUIRE(
      "history",
      "usual",
      "voters",
      "guard",
      "node-not-gone",
      "readwrite",
      "numbers",
      "readwrite-fence",
      "line",
      "several-acquire",
      "vote"),
  /** Raises the fences of a read/write lock. */
  READ_WRITE_RAISE("readwrite", "numbers", "readwrite-raise"),
  /** Releases a side. */
  READ_WRITE_RELEASE("readwrite", "readwrite-unused", "line", "several-release"),
  /** Removes a waiter for a side from the queue. */
  READ_WRITE_LEAVE("readwrite", "line", "several-leave"),
  /** Looks up a side's holder. */
  READ_WRITE_INSPECT("readwrite-inspect"),
  /** Renews many leases of permits, or of readers. */
  SEVERAL_RENEW("several-renew"),
  /** Opens a latch. */
  LATCH_OPEN("latch", "latch-open"),
  /** Counts a latch down by one. */
  LATCH_COUNT_DOWN("latch", "latch-count-down"),
  /** Reads a latch. */
  LATCH_LOOK("latch", "latch-look"),
  /** Removes a waiter for a latch. */
  LATCH_LEAVE("latch-leave"),
  /** Looks up a lock's holder. */
  INSPECT("marks", "inspect"),
  /** Acquires a lock in plain mode. */
  PLAIN_ACQUIRE("plain-acquire"),
  /** {@link #PLAIN_ACQUIRE} on a node of a quorum. */
  GUARDED_PLAIN_ACQUIRE("history", "usual", "voters", "guard", "plain-acquire", "vote"),
  /** Releases a lock in plain mode. */
  PLAIN_RELEASE("plain-release"),
  /** Looks up the holder of a lock in plain mode. */
  PLAIN_INSPECT("plain-inspect");

  private final List<String> files;

  /**
   * Read when first used: a process uses few scripts, and digests of all take long on a cold JVM.
   */
  private volatile @Nullable ScriptText text;

  Script(String... files) {
    this.files = List.of(files);
  }

  private ScriptText text() {
    ScriptText whole = text;
    if (whole == null) {
      whole = ScriptText.of(files.stream().map(Script::read).toArray(byte[][]::new));
      text = whole;
    }
    return whole;
  }

  private static byte[] read(String name) {
    return ScriptText.read(name, file -> Script.class.getResourceAsStream(file));
  }

  /** Its text. The array must not be changed. */
  public byte[] body() {
    return text().body();
  }

  /** Its SHA-1 in hexadecimal digits. The array must not be changed. */
  public byte[] sha() {
    return text().sha();
  }
}
