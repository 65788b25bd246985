package dev.leasehold.redisson;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.redis.common.KeySpace;
import java.util.regex.Pattern;
import org.redisson.config.NameMapper;

/**
 * The keys and the channel of one lock, named as Redisson names them. Immutable.
 *
 * @param name the lock's name, as the application has it
 * @param raw what a lock of Redisson's own is called that is the same: the name, after the prefix
 * @param lock the key of the lock: that, or what the client's {@link NameMapper} makes of it
 * @param space what keys of ours begin with
 */
record Keys(String name, String raw, String lock, KeySpace space) {

  /** What keys of ours are called that stand beside Redisson's. */
  private static final Pattern OURS =
      Pattern.compile(
          "lh:.*[{].*[}].*:(fence|gone(:.*)?|permits:door|latch:(round|once)|rw:fences)",
          Pattern.DOTALL);

  /** Without a prefix. */
  Keys(String name, String lock) {
    this(name, name, lock, KeySpace.WHOLE);
  }

  /**
   * The keys of a name.
   *
   * @throws IllegalArgumentException if the name holds a lone surrogate, which UTF-8 can't carry
   * @throws LockStoreException as refused, if the key is not a lock's
   */
  static Keys of(String name, KeySpace space, NameMapper mapper) {
    space.plain(name);
    if (OURS.matcher(name).matches()) {
      throw new LockStoreException(
          LockStoreException.Kind.REFUSED,
          "the lock name "
              + Quoted.name(name)
              + " is that of a key which is kept beside another lock: where names are keys, it can't"
              + " be a lock");
    }
    String raw = space.before(name);
    return new Keys(name, raw, mapper.map(raw), space);
  }

  String fence() {
    return space.before(tagged("lh") + ":fence");
  }

  /** There if a token was released while its acquisition may still have been on its way. */
  String gone(String token) {
    return gone() + ":" + token;
  }

  /** There while there is one of those. */
  String gone() {
    return space.before(tagged("lh") + ":gone");
  }

  /** What is told when a side of a read/write lock is unlocked. */
  String sidesChannel() {
    return tagged("redisson_rwlock");
  }

  /** What Redisson's keys beside the lock's begin with: those by which holds end. */
  String ends() {
    return lock.contains("{") ? lock : "{" + lock + "}";
  }

  /** Lives as long as a hold of ours. */
  String endOf(String holder) {
    return ends() + ":" + holder + ":rwlock_timeout:1";
  }

  /** Until when the permits of a semaphore are held; the lock's key says how many are free. */
  String permitEnds() {
    return ends() + ":timeout";
  }

  /** What is told when permits are free. */
  String permitChannel() {
    return tagged("redisson_sc");
  }

  String permitDoor() {
    return space.before(tagged("lh") + ":permits:door");
  }

  /** What is told when a latch is at zero, or opened. Redisson wraps every name. */
  String latchChannel() {
    return "redisson_countdownlatch__channel__{" + lock + "}";
  }

  String latchRound() {
    return space.before(tagged("lh") + ":latch:round");
  }

  String latchCounted() {
    return space.before(tagged("lh") + ":latch:once");
  }

  String sidesFences() {
    return space.before(tagged("lh") + ":rw:fences");
  }

  String channel() {
    return tagged("redisson_lock__channel");
  }

  String line() {
    return tagged("redisson_lock_queue") + ownLine();
  }

  String places() {
    return tagged("redisson_lock_timeout") + ownLine();
  }

  /**
   * Redisson has one line for the names {@code x} and {@code {x}}, where the waiters of one would
   * hold up those of the other: ours for the latter is another.
   */
  private String ownLine() {
    boolean braced = lock.startsWith("{") && lock.endsWith("}") && lock.lastIndexOf('{') == 0;
    return braced ? ":braced" : "";
  }

  /** A name with braces has its own hash tag, or none: Redisson does not wrap it again. */
  private String tagged(String prefix) {
    return lock.contains("{") ? prefix + ":" + lock : prefix + ":{" + lock + "}";
  }
}
