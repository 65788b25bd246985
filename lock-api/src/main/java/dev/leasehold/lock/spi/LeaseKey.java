package dev.leasehold.lock.spi;

/**
 * Identifies a lease or a waiter, by lock name and token.
 *
 * @param name name of the lock
 * @param token {@code label:secret}, where the secret is 128 random bits in 22 characters of
 *     URL-safe base 64 and the label contains no colon; new for each remote acquisition. A store
 *     may {@linkplain LeaseStore#prepared append} to it
 */
public record LeaseKey(String name, String token) {
  /**
   * Equal if both parts are. Written out, as {@link #hashCode}: a record's own method is made when
   * it is first called, which takes 20 ms of a cold JVM's first acquisition.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof LeaseKey key && token.equals(key.token) && name.equals(key.name);
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + token.hashCode();
  }

  @Override
  public String toString() {
    return Quoted.record("LeaseKey", "name", name, "token", token);
  }
}
