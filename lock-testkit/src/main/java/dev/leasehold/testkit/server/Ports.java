package dev.leasehold.testkit.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports on loopback, below the ephemeral range of operating systems (32768 and up). A port
 * from that range could be taken by any outgoing connection while its server is down, and a client
 * that keeps connecting to it could even connect to itself.
 */
public final class Ports {
  /** The bus port of a cluster node is this much above its port. */
  static final int BUS_OFFSET = 10_000;

  private static final int LOWEST = 11_000;
  private static final int HIGHEST = 22_000;
  private static final int TRIES = 1_000;

  private Ports() {}

  /** A port that was free a moment ago, together with its cluster bus port. */
  public static int free() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (isFree(port) && isFree(port + BUS_OFFSET)) {
        return port;
      }
    }
    throw new ServerException(
        "No free port between " + LOWEST + " and " + HIGHEST + " after " + TRIES + " tries");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
