package dev.leasehold.lock.spi;

/**
 * A lease, or a waiter, of one token.
 *
 * @param name name of the lock
 * @param token {@code label:secret}, where the secret is 128 random bits in 22 characters of base
 *     64 (URL-safe) and the label has no colon; fresh for each remote acquisition
 */
public record LeaseKey(String name, String token) {
  @Override
  public String toString() {
    return Quoted.record("LeaseKey", "name", name, "token", token);
  }
}
