package dev.leasehold.redis.common;

/**
 * The Lua scripts: resources, whose header tells keys, arguments and reply. Send {@link #sha()} by
 * {@code EVALSHA}; on {@code NOSCRIPT}, {@link #body()} by {@code EVAL}, which also leaves it in
 * the server's cache.
 */
public enum Script {
  /** Takes a lock by {@code SET NX PX} and draws its fence. */
  ACQUIRE("numbers", "take-set", "acquire", "fence"),
  /** The same by {@code SETNX} and {@code PEXPIRE}. */
  SETNX_ACQUIRE("numbers", "take-setnx", "acquire", "fence"),
  /** {@link #ACQUIRE} of those who are served in the order in which they came. */
  FAIR_ACQUIRE("numbers", "take-set", "pass-on", "fair", "acquire", "fence"),
  /** {@link #SETNX_ACQUIRE} of those who are served in the order in which they came. */
  SETNX_FAIR_ACQUIRE("numbers", "take-setnx", "pass-on", "fair", "acquire", "fence"),
  /** {@link #ACQUIRE} on a node of a quorum, which may have forgotten locks. */
  GUARDED_ACQUIRE("history", "voters", "guard", "numbers", "take-set", "acquire", "fence", "vote"),
  /** {@link #GUARDED_ACQUIRE} of those who are served in the order in which they came. */
  GUARDED_FAIR_ACQUIRE(
      "history",
      "voters",
      "guard",
      "numbers",
      "take-set",
      "pass-on",
      "fair",
      "acquire",
      "fence",
      "vote"),
  /**
   * How acquisitions begin that refuse a token which {@link #GONE} has noted; of no use by itself.
   */
  NOT_GONE("several-not-gone"),
  /** What the scripts of a quorum's nodes begin with; of no use by itself. */
  HISTORY("history", "voters"),
  /** What the scripts that take a lock on a quorum's nodes end with; of no use by itself. */
  VOTE("vote"),
  /** Takes several locks, all or none, and draws one fence for all. */
  TOGETHER("numbers", "together-set", "together"),
  /** The same by {@code SETNX} and {@code PEXPIRE}, by one of several connections. */
  SETNX_TOGETHER("numbers", "together-setnx", "together"),
  /** Frees several locks, or passes each on to one of its waiters. */
  TOGETHER_RELEASE("pass-on", "together-release"),
  /** Notes that a client of a quorum has met a run of the server. */
  ENTER("history", "voters", "enter"),
  /** What a server's clock shows. */
  TIME("time"),
  /** Makes a fence larger. */
  RAISE("holds", "numbers", "raise"),
  /** How every acquisition ends that draws a fence; of no use by itself. */
  DRAW_FENCE("numbers", "fence"),
  /** How {@link #RAISE} ends; of no use by itself. */
  RAISE_FENCE("numbers", "raise"),
  /** What stands in a release that gives fencing numbers back; of no use by itself. */
  GIVE_BACK_NUMBERS("numbers", "unused"),
  /** How every acquisition of a side ends that draws a fence; of no use by itself. */
  DRAW_SIDE_FENCE("numbers", "readwrite-fence"),
  /** {@link #GIVE_BACK_NUMBERS} of a writer; of no use by itself. */
  GIVE_BACK_SIDE_NUMBERS("readwrite-unused"),
  /** Frees a lock, or passes it on to one waiter. */
  RELEASE("release", "pass-on", "pass"),
  /** {@link #RELEASE} of a lease that has fencing numbers left. */
  RELEASE_RUN("release", "numbers", "unused", "pass-on", "pass"),
  /** Frees a lock, and wakes nobody. */
  WITHDRAW("release", "withdraw"),
  /**
   * {@link #RELEASE} of a token whose {@link #SETNX_ACQUIRE} may still come, and then does nothing.
   */
  LAST_RELEASE("gone", "release", "pass-on", "pass"),
  /** Leaves word before the release of a token whose acquisition may still come: it is refused. */
  GONE("numbers", "gone-mark"),
  /** Frees a lock, of any mode, and keeps it taken for a while. */
  KEEP("keep"),
  /** {@link #KEEP} of a token whose {@link #SETNX_ACQUIRE} may still come. */
  LAST_KEEP("gone", "keep"),
  /** Renews many leases. */
  RENEW("renew"),
  /** Takes a waiter out of the line. */
  LEAVE("leave", "pass-on", "pass"),
  /** Takes permits of a semaphore. */
  PERMITS_ACQUIRE("several-not-gone", "permits", "permits-number", "line", "several-acquire"),
  /**
   * {@link #PERMITS_RELEASE} of a token whose acquisition may still come, and does nothing then.
   */
  LAST_PERMITS_RELEASE("several-gone", "permits", "line", "several-release"),
  /** Gives permits back. */
  PERMITS_RELEASE("permits", "line", "several-release"),
  /** Gives some of a lease's permits back. */
  PERMITS_SHRINK("permits", "line", "permits-shrink"),
  /** Takes a waiter for permits out of the line. */
  PERMITS_LEAVE("permits", "line", "several-leave"),
  /** Changes the number of permits. */
  PERMITS_RESIZE("permits", "line", "permits-resize"),
  /** How many permits there are, and are held. */
  PERMITS_COUNT("permits-count"),
  /** Takes slots of a semaphore on a node of a quorum, and draws their fence. */
  GUARDED_SLOTS_ACQUIRE(
      "history",
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
  /** Gives slots back. */
  SLOTS_RELEASE("permits", "numbers", "slots", "line", "several-release"),
  /** Takes a waiter for slots out of the line. */
  SLOTS_LEAVE("permits", "numbers", "slots", "line", "several-leave"),
  /** Makes the fences of slots larger. */
  SLOTS_RAISE("permits", "numbers", "slots", "slots-raise"),
  /** How many slots there are, and are held. */
  SLOTS_COUNT("slots-count"),
  /** Takes a side of a read/write lock, and draws its fence. */
  READ_WRITE_ACQUIRE(
      "several-not-gone", "readwrite", "numbers", "readwrite-fence", "line", "several-acquire"),
  /** {@link #READ_WRITE_ACQUIRE} on a node of a quorum. */
  GUARDED_READ_WRITE_ACQUIRE(
      "history",
      "voters",
      "guard",
      "node-not-gone",
      "readwrite",
      "numbers",
      "readwrite-fence",
      "line",
      "several-acquire",
      "vote"),
  /** Makes the fences of a read/write lock larger. */
  READ_WRITE_RAISE("readwrite", "numbers", "readwrite-raise"),
  /** {@link #READ_WRITE_RELEASE} of a token whose acquisition may still come. */
  LAST_READ_WRITE_RELEASE(
      "several-gone", "readwrite", "readwrite-unused", "line", "several-release"),
  /** Gives a side back. */
  READ_WRITE_RELEASE("readwrite", "readwrite-unused", "line", "several-release"),
  /** Takes a waiter for a side out of the line. */
  READ_WRITE_LEAVE("readwrite", "line", "several-leave"),
  /** Who has a side. */
  READ_WRITE_INSPECT("readwrite-inspect"),
  /** Renews many leases of permits, or of readers. */
  SEVERAL_RENEW("several-renew"),
  /** Opens a latch. */
  LATCH_OPEN("latch", "latch-open"),
  /** Takes one off a latch. */
  LATCH_COUNT_DOWN("latch", "latch-count-down"),
  /** Looks at a latch. */
  LATCH_LOOK("latch", "latch-look"),
  /** Takes a waiter for a latch off. */
  LATCH_LEAVE("latch-leave"),
  /** Who has a lock. */
  INSPECT("inspect"),
  /** Takes a lock of plain mode. */
  PLAIN_ACQUIRE("plain-acquire"),
  /** {@link #PLAIN_ACQUIRE} on a node of a quorum. */
  GUARDED_PLAIN_ACQUIRE("history", "voters", "guard", "plain-acquire", "vote"),
  /** Frees a lock of plain mode. */
  PLAIN_RELEASE("plain-release"),
  /** Who has a lock of plain mode. */
  PLAIN_INSPECT("plain-inspect");

  private final ScriptText text;

  Script(String... files) {
    byte[][] parts = new byte[files.length][];
    for (int i = 0; i < files.length; i++) {
      parts[i] = ScriptText.read(files[i], file -> Script.class.getResourceAsStream(file));
    }
    text = ScriptText.of(parts);
  }

  /** Its text. The array must not be changed. */
  public byte[] body() {
    return text.body();
  }

  /** Its SHA-1 in hexadecimal digits. The array must not be changed. */
  public byte[] sha() {
    return text.sha();
  }
}
