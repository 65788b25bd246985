package dev.leasehold.redisson;

import dev.leasehold.redis.common.LockKeys;
import org.redisson.config.NameMapper;

/**
 * The keys and the channel of one lock, named as Redisson names them. Immutable.
 *
 * @param name the lock's name, as the application has it
 * @param lock the key of the lock: the name, or what the client's {@link NameMapper} makes of it
 */
record Keys(String name, String lock) {

  /**
   * The keys of a name.
   *
   * @throws IllegalArgumentException if the name holds a lone surrogate, which UTF-8 can't carry
   */
  static Keys of(String name, NameMapper mapper) {
    LockKeys.plain(name);
    return new Keys(name, mapper.map(name));
  }

  String fence() {
    return tagged("lh") + ":fence";
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
