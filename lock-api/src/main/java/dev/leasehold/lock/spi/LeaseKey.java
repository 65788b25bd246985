package dev.leasehold.lock.spi;

/**
 * Identifies a lease or a waiter, by lock name and token.
 *
 * @param name name of the lock
 * @param token {@code label:secret}, where the secret is 128 random bits in 22 characters of
 *     URL-safe base 64 and the label contains no colon; new for each remote acquisition. A store
 *     may add where to send a {@linkplain RecallStore recall}
 */
public record LeaseKey(String name, String token) {
  @Override
  public String toString() {
    return Quoted.record("LeaseKey", "name", name, "token", token);
  }
}
