package dev.leasehold.testkit.view;

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
  },
  /**
   * Redisson's: the name is the key of a hash, holder to hold count, and its fair lock's waiters
   * stand in a list; with Leasehold's fence beside them.
   */
  REDISSON {
    @Override
    public String lock(String name) {
      return name;
    }

    @Override
    public Optional<String> fence(String name) {
      return Optional.of(tagged("lh", name) + ":fence");
    }

    @Override
    public Optional<String> waiters(String name) {
      // Two names of one line at Redisson; Leasehold's waiters for the second have another.
      boolean braced = name.startsWith("{") && name.endsWith("}") && name.lastIndexOf('{') == 0;
      return Optional.of(tagged("redisson_lock_queue", name) + (braced ? ":braced" : ""));
    }

    private String tagged(String prefix, String name) {
      return prefix + ":" + (name.contains("{") ? name : "{" + name + "}");
    }
  };

  /** The lock itself: a string, or a hash with the one holder's token as its field. */
  public abstract String lock(String name);

  /** The fence's counter, a string, if there is one. */
  public abstract Optional<String> fence(String name);

  /** The waiters, a sorted set or a list, if they have a line. */
  public abstract Optional<String> waiters(String name);

  /** The keys that Leasehold's own backends have by default. */
  public static KeyLayout ofBackend(String id) {
    return id.equals("redisson") ? REDISSON : LEASEHOLD;
  }

  /** Whether the lock is a hash rather than a string, and the line a list. */
  boolean isHash() {
    return this == REDISSON;
  }

  /** All keys of a name. */
  public List<String> all(String name) {
    return List.of(Optional.of(lock(name)), fence(name), waiters(name)).stream()
        .flatMap(Optional::stream)
        .toList();
  }
}
