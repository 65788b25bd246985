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
    return new SeveralKeys(
        space.beside(name, ":permits"),
        space.beside(name, ":permits:wait"),
        space.beside(name, ":permits:door"),
        space.beside(name, ":permits:number"));
  }

  /** Of a semaphore on a node of a quorum, without its hash of slots. */
  static SeveralKeys slots(KeySpace space, String name) {
    return new SeveralKeys(
        space.beside(name, ":slots"),
        space.beside(name, ":slots:wait"),
        space.beside(name, ":slots:door"),
        space.beside(name, ":slots:number"));
  }

  byte[][] all() {
    return new byte[][] {holders, waiters, door, number};
  }
}
