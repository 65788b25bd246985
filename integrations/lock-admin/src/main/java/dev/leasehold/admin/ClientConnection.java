package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;

/**
 * A connection with a holder's label as its name, in a server's {@code CLIENT LIST}.
 *
 * @param node address of the server that lists it
 * @param address the client's address as the server sees it: {@code 10.0.0.7:51234}. Behind a proxy
 *     or a container's network it is that of these
 * @param age for how long the connection has existed
 */
public record ClientConnection(String node, String address, Duration age) {
  @Override
  public String toString() {
    return Quoted.record("ClientConnection", "node", node, "address", address, "age", age);
  }
}
