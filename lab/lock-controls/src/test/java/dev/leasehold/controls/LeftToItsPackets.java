package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;

/** A command sent before the connection broke may reach the server after the release. */
public final class LeftToItsPackets extends WrongUse {
  /** For the suite. */
  public LeftToItsPackets() {
    super("broken connection left to its packets", "FL-1");
  }

  @Override
  public LeaseStore open(String address) {
    return new SoundStore(new RedisCalls(address, false), OWNED_WITH_TTL);
  }
}
