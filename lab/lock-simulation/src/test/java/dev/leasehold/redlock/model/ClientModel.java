package dev.leasehold.redlock.model;

import java.util.List;

/**
 * Clients of one server: some bytes about the server, then as many for each client, the first of
 * which is its phase.
 *
 * @param <W> what a client may be
 * @param <P> its phases; the first is that of an idle client, and the second byte of a client is
 *     how many attempts it has begun
 */
abstract class ClientModel<W, P extends Enum<P>> extends SmallModel {
  static final int BEGUN = 1;

  final List<W> clients;
  final int attempts;
  private final int clientsAt;
  private final int client;
  private final P[] phases;

  /**
   * A model.
   *
   * @param attempts how often each client may ask for the lock
   * @param server bytes about the server
   * @param client bytes about each client
   */
  ClientModel(List<W> clients, int attempts, int server, int client, P[] phases) {
    super(server + clients.size() * client, 0);
    this.clients = clients;
    this.attempts = attempts;
    this.clientsAt = server;
    this.client = client;
    this.phases = phases;
  }

  @Override
  final byte[] first() {
    return new byte[clientsAt + clients.size() * client];
  }

  /** Where the bytes of a client begin. */
  final int at(int c) {
    return clientsAt + c * client;
  }

  final P phase(byte[] s, int c) {
    return phases[s[at(c)]];
  }

  /** The same state but for a client's phase. */
  final byte[] in(byte[] before, int c, P phase) {
    byte[] s = before.clone();
    put(s, c, phase);
    return s;
  }

  final void put(byte[] s, int c, P phase) {
    s[at(c)] = (byte) phase.ordinal();
  }

  /** The same with one attempt more. */
  final byte[] begun(byte[] before, int c, P phase) {
    byte[] s = in(before, c, phase);
    s[at(c) + BEGUN]++;
    return s;
  }

  final boolean mayBegin(byte[] s, int c) {
    return s[at(c) + BEGUN] < attempts;
  }
}
