package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.server.RespConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Sound, with a list on which a release leaves an element for who waits: one, whatever it frees.
 */
public final class WakesOne extends PermitControl {
  private static final String BELL = ":bell";

  @Override
  public String name() {
    return "semaphore that wakes one";
  }

  @Override
  List<String> tells() {
    return List.of("SE-6");
  }

  @Override
  List<String> breaks() {
    return List.of("SE-6");
  }

  @Override
  public LeaseStore open(String address) {
    return new Sketch(address);
  }

  private static final class Sketch extends PermitSketch {
    private final URI address;

    Sketch(String address) {
      super(address, Guarantee.PERMITS, Guarantee.WAKE_UP);
      this.address = URI.create(address);
    }

    /** Only who wants many waits at the door: the others are woken, and not in its order. */
    @Override
    long take(String key, String token, String ttl, String wanted, String of, String waits) {
      return super.take(key, token, ttl, wanted, of, wanted.equals("1") ? "0" : waits);
    }

    @Override
    String given() {
      return """
          if i > 0 then
            redis.call('DEL', KEYS[1] .. ':bell')
            redis.call('RPUSH', KEYS[1] .. ':bell', 'ring')
            redis.call('PEXPIRE', KEYS[1] .. ':bell', 60000)
          end
          """;
    }

    @Override
    CompletionStage<Watch> listen(String key, Runnable wakeUp) {
      Listener listener = new Listener(address, key + BELL, wakeUp);
      listener.setDaemon(true);
      listener.start();
      return CompletableFuture.completedFuture(listener);
    }
  }

  /** Takes the elements of a list as they come. */
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
        wakeUp.run(); // and nobody listens any more: its author has thought of no more
      }
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
