package dev.leasehold.testkit.proxy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A request that a client waits for the reply to. */
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

  /** One that the server does not know of. */
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

  /** The reply that the proxy gives itself. */
  Optional<byte[]> injectedReply() {
    return injected;
  }

  /**
   * Counts a confirmation of a (un)subscription, and says whether it was the last.
   *
   * @param subscribed how many channels of the kind there were before it
   */
  boolean isLastConfirmation(int subscribed) {
    if (confirmationsLeft == NOT_KNOWN_YET) {
      // Without arguments, all channels are unsubscribed from; there is one answer if there is
      // none.
      confirmationsLeft =
          Math.max(1, command.args().isEmpty() ? subscribed : command.args().size());
    }
    confirmationsLeft--;
    return confirmationsLeft == 0;
  }
}
