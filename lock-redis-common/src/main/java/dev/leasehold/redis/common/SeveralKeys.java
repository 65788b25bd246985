package dev.leasehold.redis.common;

/**
 * The keys of a name's lock with several holders, all in the slot of the name's plain lock. The
 * arrays must not be changed.
 *
 * @param holders a sorted set: holds by when they end
 * @param waiters a sorted set: those who wait, by time of arrival
 * @param door a string: the waiter that nobody passes
 * @param number a string: how many permits there are
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as a client sends them; never compared
record SeveralKeys(byte[] holders, byte[] waiters, byte[] door, byte[] number) {

  /** Of a semaphore: <code>lh:{name}:permits</code>, and three beside it. */
  static SeveralKeys permits(KeySpace space, String name) {
    return of(
        space.allBeside(name, ":permits", ":permits:wait", ":permits:door", ":permits:number"));
  }

  /** Of a semaphore on a node of a quorum, without its hash of slots. */
  static SeveralKeys slots(KeySpace space, String name) {
    return of(space.allBeside(name, ":slots", ":slots:wait", ":slots:door", ":slots:number"));
  }

  private static SeveralKeys of(byte[][] keys) {
    return new SeveralKeys(keys[0], keys[1], keys[2], keys[3]);
  }

  byte[][] all() {
    return new byte[][] {holders, waiters, door, number};
  }
}
