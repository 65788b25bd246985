package dev.leasehold.lock.spi;

import dev.leasehold.lock.LockSettings;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Settings of which one has another value: a node of a quorum has its own server's address.
 *
 * @param all the settings, with or without that key
 * @param key of the setting
 * @param value of that key
 * @param source where that value comes from, for messages
 * @param whose whose settings these are; shown instead of the value, which may have a password
 */
public record ReplacedSetting(
    LockSettings all, String key, String value, String source, String whose)
    implements LockSettings {

  @Override
  public Set<String> keys() {
    Set<String> keys = new TreeSet<>(all.keys());
    keys.add(key);
    return keys;
  }

  @Override
  public Optional<String> text(String other) {
    return other.equals(key) ? Optional.of(value) : all.text(other);
  }

  @Override
  public String origin(String other) {
    return other.equals(key) ? source : all.origin(other);
  }

  @Override
  public String toString() {
    return all + " of " + whose;
  }
}
