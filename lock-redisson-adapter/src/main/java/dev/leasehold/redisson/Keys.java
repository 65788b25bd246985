package dev.leasehold.redisson;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.redis.common.KeySpace;
import java.util.regex.Pattern;
import org.redisson.config.NameMapper;

/**
 * The keys and the channel of one lock, named as Redisson names them. Immutable.
 *
 * @param name the lock's name in the application
 * @param raw the name of the same lock in Redisson: with the prefix
 * @param lock the key of the lock: that, or what the client's {@link NameMapper} makes of it
 * @param space the prefix of our keys
 */
record Keys(String name, String raw, String lock, KeySpace space) {

  /** Names of our own keys beside Redisson's. */
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
   * @throws LockStoreException as refused, if the key is reserved for another use
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

  /** Exists if a token was released while its acquisition may still have been in flight. */
  String gone(String token) {
    return gone() + ":" + token;
  }

  /** Exists while there is one of those. */
  String gone() {
    return space.before(tagged("lh") + ":gone");
  }

  /** The channel on which a release of either side of a read/write lock is published. */
  String sidesChannel() {
    return tagged("redisson_rwlock");
  }

  /** The prefix of Redisson's keys for the ends of holds. */
  String ends() {
    return lock.contains("{") ? lock : "{" + lock + "}";
  }

  /** A key that exists as long as a hold of ours. */
  String endOf(String holder) {
    return ends() + ":" + holder + ":rwlock_timeout:1";
  }

  /** The ends of a semaphore's permits; the lock's key has the number of free ones. */
  String permitEnds() {
    return ends() + ":timeout";
  }

  /** The channel on which free permits are published. */
  String permitChannel() {
    return tagged("redisson_sc");
  }

  String permitDoor() {
    return space.before(tagged("lh") + ":permits:door");
  }

  /**
   * The channel on which a latch's opening and zero are published. Redisson adds braces to every
   * name.
   */
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
   * Redisson uses one queue for the names {@code x} and {@code {x}}, where waiters of one would
   * block those of the other: so we use another queue for the latter.
   */
  private String ownLine() {
    boolean braced = lock.startsWith("{") && lock.endsWith("}") && lock.lastIndexOf('{') == 0;
    return braced ? ":braced" : "";
  }

  /** A name with braces has its own hash tag, or none: Redisson does not add braces then. */
  private String tagged(String prefix) {
    return lock.contains("{") ? prefix + ":" + lock : prefix + ":{" + lock + "}";
  }
}
