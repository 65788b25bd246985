package dev.leasehold.testkit.view;

import java.util.List;
import java.util.Optional;

/** Where a backend on plain Redis keys stores the data of a name. */
public enum KeyLayout {
  /** Leasehold's own: {@code lh:{name}}, plus keys for the fence and the line of waiters. */
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
  /** The name is the key, and there are no other keys. */
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
   * Redisson's: the name is the key of a hash from holder to hold count, and its fair lock's
   * waiters are in a list; plus Leasehold's fence.
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
      // For Redisson these two names share one line; Leasehold's waiters for the second have
      // another.
      boolean braced = name.startsWith("{") && name.endsWith("}") && name.lastIndexOf('{') == 0;
      return Optional.of(tagged("redisson_lock_queue", name) + (braced ? ":braced" : ""));
    }

    private String tagged(String prefix, String name) {
      return prefix + ":" + (name.contains("{") ? name : "{" + name + "}");
    }
  };

  /** The lock itself: a string, or a hash with the holder's token as its field. */
  public abstract String lock(String name);

  /** The fence's counter, a string, if there is one. */
  public abstract Optional<String> fence(String name);

  /** The waiters, a sorted set or a list, if the layout has a line. */
  public abstract Optional<String> waiters(String name);

  /** The default layout of one of Leasehold's own backends. */
  public static KeyLayout ofBackend(String id) {
    return id.equals("redisson") ? REDISSON : LEASEHOLD;
  }

  /** Whether the lock is a hash instead of a string, and the line a list. */
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
