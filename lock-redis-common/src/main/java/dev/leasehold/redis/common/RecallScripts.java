package dev.leasehold.redis.common;

import dev.leasehold.lock.spi.LeaseKey;

/**
 * Recalls of leases that another manager keeps after a release. The token of such a lease ends in
 * the id of its store, which for all scripts is a part of it. Stateless.
 */
public final class RecallScripts {
  /** Before the id of the store. In no label, and in no secret. */
  private static final char STORE = '~';

  private RecallScripts() {}

  /**
   * The key with a token that can be recalled at this store. Its release returns unused numbers, so
   * it is never native, and the token not markable.
   */
  public static LeaseKey recallable(LeaseKey fresh, String storeId) {
    return new LeaseKey(fresh.name(), NativeDeletes.unmarkable(fresh.token()) + STORE + storeId);
  }

  /** Whether it is such a key. */
  static boolean isRecallable(LeaseKey key) {
    return key.token().indexOf(STORE) >= 0;
  }

  /**
   * Asks the manager that has the lease to give it back.
   *
   * @param how how a release of the lock reaches a store
   */
  public static ScriptRequest recall(LeaseKey lease, Publishing how, KeySpace space) {
    String storeId = lease.token().substring(lease.token().lastIndexOf(STORE) + 1);
    byte[] channel = LockKeys.after(how.prefix(), storeId);
    return new ScriptRequest(
        Script.RECALL,
        new byte[][] {space.lock(lease.name())},
        new byte[][] {how.command(), channel, how.recall(lease.token())});
  }
}
