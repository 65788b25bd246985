package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;

/**
 * A connection in a server's {@code CLIENT LIST} whose name is a holder's label.
 *
 * @param node address of the server that lists it
 * @param address the client's address as the server sees it: {@code 10.0.0.7:51234}. Behind a
 *     proxy, or in a container network, it is the address of that
 * @param age how long the connection has existed
 */
public record ClientConnection(String node, String address, Duration age) {
  @Override
  public String toString() {
    return Quoted.record("ClientConnection", "node", node, "address", address, "age", age);
  }
}
