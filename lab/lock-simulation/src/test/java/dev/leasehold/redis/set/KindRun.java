package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.simulation.KindWorld;
import dev.leasehold.testkit.sim.SimNode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** Locks of one kind on a server that is paused and crashes, and keeps its data. */
public final class KindRun extends KindWorld {
  private static final Duration SHORTEST_LEASE = Duration.ofMillis(50);
  private static final Duration USUAL_WAY = Duration.ofMillis(2);

  /** Keys that stay for a day. */
  private static final Set<String> STAYS =
      Set.of("lh:{" + NAME + "}:permits:number", "lh:{" + NAME + "}:rw:fences");

  private final ScriptServer server;

  /** A world whose server runs scripts as changed by a mutant. */
  public KindRun(long seed, Kind kind, UnaryOperator<String> change) {
    super(seed, kind, SHORTEST_LEASE);
    server = new ScriptServer(world.node("server", clock()), change);
  }

  @Override
  protected LeaseStore store(SimNode client) {
    return server.store(client, network(USUAL_WAY));
  }

  @Override
  protected void trouble(Duration span) {
    server.pauseOrCrash(span, random);
  }

  @Override
  protected String left() {
    Set<Object> left = new TreeSet<>((List<?>) server.byHand("KEYS", "*"));
    left.removeAll(STAYS);
    left.removeIf(SimConnection::isWordOfARelease);
    return left.isEmpty() ? "" : left.toString();
  }
}
