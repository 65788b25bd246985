package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.server.RespConnection;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A {@link PermitSketch} whose releases push an element to a list for the waiters. */
abstract class RingingPermits extends PermitSketch {
  private final URI address;

  RingingPermits(String address, Guarantee... promised) {
    super(address, promised);
    this.address = URI.create(address);
  }

  /** The list that a new waiter listens on. */
  abstract String bell(String key);

  /**
   * Only a waiter for several permits takes the door: the others are woken, in no particular order.
   */
  @Override
  final long take(String key, String token, String ttl, String wanted, String of, String waits) {
    return super.take(key, token, ttl, wanted, of, wanted.equals("1") ? "0" : waits);
  }

  @Override
  final CompletionStage<Watch> listen(String key, Runnable wakeUp) {
    return run(
        () -> {
          Listener listener = new Listener(address, bell(key), wakeUp);
          listener.setDaemon(true);
          listener.start();
          return listener;
        });
  }

  /** Pops the elements of a list as they arrive. */
  private static final class Listener extends Thread implements Watch {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final URI address;
    private final String list;
    private final Runnable wakeUp;
    private volatile boolean closed;

    Listener(URI address, String list, Runnable wakeUp) {
      super("listener");
      this.address = address;
      this.list = list;
      this.wakeUp = wakeUp;
    }

    @Override
    public void run() {
      try (RespConnection connection =
          RespConnection.to(address.getHost(), address.getPort(), PATIENCE)) {
        while (!closed) {
          if (connection.call("BLPOP", list, "1").isPresent()) {
            wakeUp.run();
          }
        }
      } catch (RuntimeException gone) {
        wakeUp.run(); // listens no more: the author's scheme does not reconnect
      }
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
