package dev.leasehold.redis.common;

import dev.leasehold.lock.spi.LeaseKey;

/**
 * Recalls of leases that another manager keeps after a release. The token of such a lease has the
 * id of its store, which for all scripts is a part of it. Stateless.
 */
public final class RecallScripts {
  /** Before the id of the store. In no label, and in no secret. */
  private static final char STORE = '~';

  private RecallScripts() {}

  /** The key with a token that can be recalled at this store. */
  public static LeaseKey recallable(LeaseKey fresh, String storeId) {
    String token = fresh.token();
    String own = NativeDeletes.unmarkable(token);
    return new LeaseKey(fresh.name(), own + STORE + storeId + token.substring(own.length()));
  }

  /**
   * Asks the manager that has the lease to give it back.
   *
   * @param how how a release of the lock reaches a store
   * @param message what this store's channel sends instead
   */
  public static ScriptRequest recall(
      LeaseKey lease, Publishing how, byte[] message, KeySpace space) {
    String token = NativeDeletes.unmarkable(lease.token());
    String storeId = token.substring(token.lastIndexOf(STORE) + 1);
    byte[] channel = LockKeys.after(how.prefix(), storeId);
    return new ScriptRequest(
        Script.RECALL,
        new byte[][] {space.lock(lease.name())},
        new byte[][] {how.command(), channel, message});
  }
}
