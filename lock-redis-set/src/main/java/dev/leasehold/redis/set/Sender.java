package dev.leasehold.redis.set;

/** Where calls are sent to. Thread-safe. */
interface Sender {

  /**
   * Sends a call, and with it {@linkplain Call#followers what follows it} over the same socket and
   * with nothing in between that could break them apart. The call reports every failure. Never
   * blocks.
   */
  void send(Call<?, ?> call);

  /** Sends a call again if the error says that another node has its keys. */
  boolean redirect(Call<?, ?> call, String serverWords);
}
