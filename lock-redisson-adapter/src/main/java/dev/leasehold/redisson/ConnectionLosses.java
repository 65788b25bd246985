package dev.leasehold.redisson;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.redisson.api.NodeType;
import org.redisson.connection.ConnectionEventsHub;
import org.redisson.connection.ConnectionListener;

/**
 * Notifies listeners when a connection to a primary breaks and when one is established.
 * Thread-safe.
 */
final class ConnectionLosses implements AutoCloseable {
  private final ConnectionEventsHub hub;
  private final int id;
  private final List<Consumer<InetSocketAddress>> broken = new CopyOnWriteArrayList<>();
  private final List<Runnable> again = new CopyOnWriteArrayList<>();

  ConnectionLosses(ConnectionEventsHub hub) {
    this.hub = hub;
    this.id = hub.addListener(new Listener());
  }

  /** The listener gets the server's address, and must not block. */
  void onBroken(Consumer<InetSocketAddress> listener) {
    broken.add(listener);
  }

  /** The listener must not block. */
  void onAgain(Runnable listener) {
    again.add(listener);
  }

  @Override
  public void close() {
    hub.removeListener(id);
  }

  @SuppressWarnings("deprecation") // both forms must be there, and the newer ones are called
  private final class Listener implements ConnectionListener {
    @Override
    public void onConnect(InetSocketAddress address, NodeType type) {
      again.forEach(Runnable::run);
    }

    @Override
    public void onDisconnect(InetSocketAddress address, NodeType type) {
      if (type != NodeType.SLAVE) {
        broken.forEach(each -> each.accept(address));
      }
    }

    @Override
    public void onConnect(InetSocketAddress address) {}

    @Override
    public void onDisconnect(InetSocketAddress address) {}
  }
}
