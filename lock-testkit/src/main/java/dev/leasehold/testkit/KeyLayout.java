package dev.leasehold.testkit;

import java.util.List;
import java.util.Optional;

/** Where a backend on plain Redis keys keeps what belongs to a name. */
public enum KeyLayout {
  /** Leasehold's own: {@code lh:{name}}, with a fence and a line of waiters beside it. */
  LEASEHOLD {
    @Override
    public String lock(String name) {
      String tag = name.replace("%", "%25").replace("{", "%7B").replace("}", "%7D");
      return "lh:{" + tag + "}";
    }

    @Override
    public Optional<String> fence(String name) {
      return Optional.of(lock(name) + ":fence");
    }

    @Override
    public Optional<String> waiters(String name) {
      return Optional.of(lock(name) + ":wait");
    }
  },
  /** The name is the key, and there is nothing beside it. */
  BARE_NAME {
    @Override
    public String lock(String name) {
      return name;
    }

    @Override
    public Optional<String> fence(String name) {
      return Optional.empty();
    }

    @Override
    public Optional<String> waiters(String name) {
      return Optional.empty();
    }
  };

  /** The lock itself: a string, the holder's token. */
  public abstract String lock(String name);

  /** The fence's counter, a string, if there is one. */
  public abstract Optional<String> fence(String name);

  /** The waiters, a sorted set, if they have a line. */
  public abstract Optional<String> waiters(String name);

  /** All keys of a name. */
  public List<String> all(String name) {
    return List.of(Optional.of(lock(name)), fence(name), waiters(name)).stream()
        .flatMap(Optional::stream)
        .toList();
  }
}
