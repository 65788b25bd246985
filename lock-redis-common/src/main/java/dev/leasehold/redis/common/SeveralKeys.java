package dev.leasehold.redis.common;

/**
 * The keys of a name's lock with several holders, all in the slot of the name's plain lock. The
 * arrays must not be changed.
 *
 * @param holders a sorted set: holds by when they end
 * @param waiters a sorted set: those who wait, by time of arrival
 * @param door a string: the waiter that nobody passes
 * @param number a string: how many permits there are
 * @param ends a sorted set: the places of those who wait, by when they end
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as a client sends them; never compared
record SeveralKeys(byte[] holders, byte[] waiters, byte[] door, byte[] number, byte[] ends) {

  /** Of a semaphore: <code>lh:{name}:permits</code>, and what is beside it. */
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

  /** Of a semaphore on a node of a quorum, without its hash of slots. */
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

  /** With a semaphore's hash of slots. */
  byte[][] with(byte[] slots) {
    return new byte[][] {holders, waiters, door, number, slots, ends};
  }
}
