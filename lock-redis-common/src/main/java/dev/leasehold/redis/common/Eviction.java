package dev.leasehold.redis.common;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockStoreException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether to accept a server that may evict keys, and with them those of held locks: {@link
 * RedisSettings#ALLOW_EVICTION}.
 */
public enum Eviction {
  /** Refuse it. */
  REFUSED,

  /** Accept it without checking. */
  ALLOWED;

  private static final Pattern POLICY =
      Pattern.compile("^maxmemory_policy:(\\S+)", Pattern.MULTILINE);
  private static final Pattern LIMIT = Pattern.compile("^maxmemory:(\\d+)", Pattern.MULTILINE);
  private static final String ALLOW =
      "set " + RedisSettings.ALLOW_EVICTION.key() + " = true if locks may be lost so";

  /**
   * Checks the {@code INFO memory} of each node that holds keys, which needs no permission for
   * {@code CONFIG}; unless eviction is allowed.
   *
   * @param infos requests it; may throw
   * @throws LockConfigurationException if a node may evict keys, or refuses the command
   */
  public void check(Supplier<List<String>> infos) {
    if (this == ALLOWED) {
      return;
    }
    try {
      infos.get().forEach(Eviction::checkNode);
    } catch (LockStoreException e) {
      if (e.kind() == LockStoreException.Kind.REFUSED) {
        throw new LockConfigurationException(
            "the server does not say whether it may evict keys ("
                + e.getMessage()
                + "): permit the command INFO, or "
                + ALLOW,
            e);
      }
      throw e;
    }
  }

  /** Whether a server may evict keys, by the two fields of its {@code INFO memory}. */
  public static boolean isPossible(String policy, String limit) {
    return !policy.equals("noeviction") && !limit.equals("0");
  }

  private static void checkNode(String info) {
    String policy = find(POLICY, info).orElse("noeviction");
    String limit = find(LIMIT, info).orElse("0");
    if (isPossible(policy, limit)) {
      throw new LockConfigurationException(
          "the server's maxmemory-policy = "
              + policy
              + " with maxmemory = "
              + limit
              + " may evict locks that are held: allowed is noeviction; change it there (CONFIG SET"
              + " maxmemory-policy noeviction; with a managed service, whose default is mostly"
              + " volatile-lru, in its own settings: maxmemory-policy in ElastiCache's and"
              + " MemoryDB's parameter group, Memorystore's configuration, or Azure's advanced"
              + " settings), use another server, or "
              + ALLOW);
    }
  }

  private static Optional<String> find(Pattern pattern, String info) {
    Matcher m = pattern.matcher(info);
    return m.find() ? Optional.of(m.group(1)) : Optional.empty();
  }
}
