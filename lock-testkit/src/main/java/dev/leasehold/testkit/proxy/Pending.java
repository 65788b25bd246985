package dev.leasehold.testkit.proxy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A request whose reply the client waits for. */
final class Pending {
  private static final int NOT_KNOWN_YET = -1;

  private final RespCommand command;
  private final List<InstalledFault> faults;
  private final Optional<byte[]> injected;
  private int confirmationsLeft = NOT_KNOWN_YET;

  private Pending(RespCommand command, List<InstalledFault> faults, Optional<byte[]> injected) {
    this.command = command;
    this.faults = faults;
    this.injected = injected;
  }

  static Pending of(RespCommand command, List<InstalledFault> faults) {
    return new Pending(command, faults, Optional.empty());
  }

  /** A request that is not passed to the server. */
  static Pending injected(RespCommand command, String error) {
    return new Pending(command, List.of(), Optional.of(error(error)));
  }

  static byte[] error(String words) {
    return ("-" + words + "\r\n").getBytes(StandardCharsets.UTF_8);
  }

  RespCommand command() {
    return command;
  }

  List<InstalledFault> faults() {
    return faults;
  }

  /** The reply created by the proxy. */
  Optional<byte[]> injectedReply() {
    return injected;
  }

  /**
   * Counts a confirmation of a (un)subscription; returns whether it was the last.
   *
   * @param subscribed the number of channels of this kind before the request
   */
  boolean isLastConfirmation(int subscribed) {
    if (confirmationsLeft == NOT_KNOWN_YET) {
      // Without arguments, it unsubscribes from all channels; with no channel there is one reply.
      confirmationsLeft =
          Math.max(1, command.args().isEmpty() ? subscribed : command.args().size());
    }
    confirmationsLeft--;
    return confirmationsLeft == 0;
  }
}
