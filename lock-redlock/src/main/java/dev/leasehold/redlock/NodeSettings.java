package dev.leasehold.redlock;

import dev.leasehold.lock.LockSettings;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The quorum's settings as one node sees them, with its own server's address.
 *
 * @param from the key of the list that names it
 */
record NodeSettings(LockSettings all, String uri, String from) implements LockSettings {

  @Override
  public Set<String> keys() {
    Set<String> keys = new HashSet<>(all.keys());
    keys.add(RedlockSettings.NODE_URI);
    return keys;
  }

  @Override
  public Optional<String> text(String key) {
    return key.equals(RedlockSettings.NODE_URI) ? Optional.of(uri) : all.text(key);
  }

  @Override
  public String origin(String key) {
    return key.equals(RedlockSettings.NODE_URI) ? from + ", " + all.origin(from) : all.origin(key);
  }

  /** Without values, since one may be a password. */
  @Override
  public String toString() {
    return all + " of the node " + RedlockSettings.address(uri);
  }
}
