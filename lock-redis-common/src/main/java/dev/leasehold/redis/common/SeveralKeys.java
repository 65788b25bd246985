package dev.leasehold.redis.common;

/**
 * The keys of a lock with several holders, all in the slot of the name's plain lock. The arrays
 * must not be changed.
 *
 * @param holders a sorted set: holds by when they end
 * @param waiters a sorted set: waiters by time of arrival
 * @param door a string: the waiter that must not be overtaken
 * @param number a string: the number of permits
 * @param ends a sorted set: waiters' places by when they end
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as a client sends them; never compared
record SeveralKeys(byte[] holders, byte[] waiters, byte[] door, byte[] number, byte[] ends) {

  /** The keys of a semaphore: <code>lh:{name}:permits</code> and others. */
  static SeveralKeys permits(KeySpace space, String name) {
    return of(
        space.allBeside(
            name,
            ":permits",
            ":permits:wait",
            ":permits:door",
            ":permits:number",
            ":permits:ends"));
  }

  /** The keys of a semaphore on a node of a quorum, without its hash of slots. */
  static SeveralKeys slots(KeySpace space, String name) {
    return of(
        space.allBeside(
            name, ":slots", ":slots:wait", ":slots:door", ":slots:number", ":slots:ends"));
  }

  private static SeveralKeys of(byte[][] keys) {
    return new SeveralKeys(keys[0], keys[1], keys[2], keys[3], keys[4]);
  }

  byte[][] all() {
    return new byte[][] {holders, waiters, door, number, ends};
  }

  /** Including the semaphore's hash of slots. */
  byte[][] with(byte[] slots) {
    return new byte[][] {holders, waiters, door, number, slots, ends};
  }
}
