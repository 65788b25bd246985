package dev.leasehold.redis.set;

/** A destination of calls. Thread-safe. */
interface Sender {

  /**
   * Sends a call with the commands that {@linkplain PendingCommand#leaders precede} and {@linkplain
   * PendingCommand#followers follow} it over the same socket, with nothing in between that could
   * separate them. Failures are reported by the call. Never blocks.
   */
  void send(PendingCommand<?> call);

  /** Sends a call again if the error redirects to another node. */
  boolean redirect(PendingCommand<?> call, String serverWords);

  /** The address of the only server that it sends to, for messages; otherwise empty. */
  default String address() {
    return "";
  }
}
