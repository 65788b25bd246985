package dev.leasehold.lock.internal.config;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.internal.Label;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Settings with a label, which a manager and its connections have in common. */
record LabelledSettings(LockSettings given, String label) implements LockSettings {

  static LockSettings of(LockSettings given) {
    return given.text(EngineSettings.LABEL.key()).isPresent()
        ? given
        : new LabelledSettings(given, Label.byDefault());
  }

  private static boolean isLabel(String key) {
    return key.equals(EngineSettings.LABEL.key());
  }

  @Override
  public Set<String> keys() {
    Set<String> keys = new TreeSet<>(given.keys());
    keys.add(EngineSettings.LABEL.key());
    return keys;
  }

  @Override
  public Optional<String> text(String key) {
    return isLabel(key) ? Optional.of(label) : given.text(key);
  }

  @Override
  public String origin(String key) {
    return isLabel(key) ? "the default" : given.origin(key);
  }

  @Override
  public String toString() {
    return given + " of " + label;
  }
}
