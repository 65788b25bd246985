package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.redis.common.CompareAndDelete;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.FencedNode;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.FencedStore;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.LockKeys;
import dev.leasehold.redis.common.RunGuard;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.WakeChannel;
import dev.leasehold.simulation.ModelServer;
import dev.leasehold.testkit.sim.FaultPlan;
import dev.leasehold.testkit.sim.SimNode;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * A modelled server on a simulated machine, and the production stores connected to it: all of
 * {@code redis-set} except its connection handling. Not thread-safe.
 */
public final class ScriptServer {
  private static final StoreOptions OPTIONS =
      new StoreOptions(Eviction.REFUSED, RequiredReplicas.NONE);

  private final SimNode node;
  private final RandomGenerator random;
  private final ModelServer model;
  private final Set<SimConnection> connections = new LinkedHashSet<>();
  private boolean whole = true;
  private BiFunction<List<String>, Supplier<Object>, Object> around = (words, step) -> step.get();

  /** The data after a restart. */
  public enum Data {
    /** Everything written. */
    KEPT,
    /** Nothing. */
    LOST
  }

  /** A server that runs scripts as changed by a mutant. */
  public ScriptServer(SimNode node, UnaryOperator<String> change) {
    this.node = node;
    this.random = node.world().random();
    this.model = new ModelServer(node::wallMicros, newRun(), change);
  }

  private String newRun() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(random.nextLong())
        + hex.toHexDigits(random.nextLong())
        + hex.toHexDigits(random.nextInt());
  }

  /** The machine that it runs on. */
  public SimNode node() {
    return node;
  }

  ModelServer model() {
    return model;
  }

  /** Lets it have a compare-and-delete of its own, before a store asks. */
  public ScriptServer comparesAndDeletes() {
    model.knows("DELIFEQ");
    return this;
  }

  /** A store on it. */
  public LeaseStore store(SimNode client, FaultPlan faults) {
    SimConnection redis = connect(client, faults, Duration.ZERO);
    String id = id();
    return store(redis, id);
  }

  /** The same, granting in the order of arrival. */
  public LeaseStore fairStore(SimNode client, FaultPlan faults) {
    SimConnection redis = connect(client, faults, Duration.ZERO);
    String id = FencedScripts.inOrder(id());
    return store(redis, id);
  }

  /** A store on it that sends no scripts, as if they were refused. */
  public MinimumHold commandStore(SimNode client, FaultPlan faults) {
    SimConnection redis = connect(client, faults, Duration.ZERO);
    return new CommandStore(new LettuceDriver(redis, null, OPTIONS), CompareAndDelete.DELIFEQ);
  }

  private static LeaseStore store(SimConnection redis, String id) {
    WakeChannel channel = redis.wakeChannel(id, KeySpace.WHOLE);
    LettuceDriver driver = new LettuceDriver(redis, channel, OPTIONS);
    return new FencedStore(driver, Script.ACQUIRE, id, KeySpace.WHOLE);
  }

  /** The server as a node of a quorum whose leases are at most this long. */
  public QuorumNode quorumNode(SimNode client, FaultPlan faults, Duration longestLease) {
    return quorumNode(client, faults, longestLease, id());
  }

  /** The same, granting in the order of arrival. */
  public QuorumNode fairNode(SimNode client, FaultPlan faults, Duration longestLease) {
    return quorumNode(client, faults, longestLease, FencedScripts.inOrder(id()));
  }

  private QuorumNode quorumNode(
      SimNode client, FaultPlan faults, Duration longestLease, String id) {
    SimConnection redis = connect(client, faults, longestLease);
    WakeChannel channel = redis.wakeChannel(id, KeySpace.WHOLE);
    return new FencedNode(new LettuceNode(redis, channel, OPTIONS), id, KeySpace.WHOLE);
  }

  /** The same in plain mode. */
  public LeaseStore plainNode(SimNode client, FaultPlan faults, Duration longestLease) {
    return new PlainNode(new LettuceNode(connect(client, faults, longestLease), null, OPTIONS));
  }

  private String id() {
    return HexFormat.of().toHexDigits(random.nextLong());
  }

  private SimConnection connect(SimNode client, FaultPlan faults, Duration longestLease) {
    SimConnection made = new SimConnection(client, this, faults, longestLease);
    connections.add(made);
    return made;
  }

  void forget(SimConnection closed) {
    connections.remove(closed);
  }

  /** Wraps the execution of every command that arrives over a connection. */
  void around(BiFunction<List<String>, Supplier<Object>, Object> steps) {
    around = steps;
  }

  /** Executes a command that arrived over a connection. */
  Object step(List<String> words) {
    return around.apply(words, () -> model.call(words));
  }

  /** Lets the node vote at once, or after this span, as an operator does by hand. */
  public void votesIn(Duration span, Duration longestLease) {
    long longest = RunGuard.staysOutFor(longestLease).toMillis();
    long since = node.wallMicros() / 1000 - longest + span.toMillis();
    model.call(
        "HSET",
        "lh:node",
        "run",
        model.runId(),
        "since",
        Long.toString(since),
        "longest",
        Long.toString(longest));
  }

  /** Crashes. Connections break. */
  public void crash() {
    node.crash();
    model.disconnectAll();
    List.copyOf(connections).forEach(SimConnection::broke);
  }

  /** Starts again, as another run. */
  public void restart(Data data) {
    if (data == Data.LOST) {
      node.world().trace(node.name(), "lost its data");
      model.loseData();
      whole = false;
    }
    node.restart();
    model.restart(newRun());
  }

  /**
   * If it is running, pauses for this long, or crashes and restarts afterwards with all its data.
   */
  public void pauseOrCrash(Duration span, RandomGenerator chance) {
    if (node.state() != SimNode.State.RUNNING) {
      return;
    }
    if (chance.nextBoolean()) {
      node.pause(span);
    } else {
      crash();
      node.world().after(span, () -> restart(Data.KEPT));
    }
  }

  /**
   * Whether it never lost data. Before another node is admitted by hand, the longest lease must
   * pass.
   */
  public boolean isWhole() {
    return whole;
  }

  /** A command typed by an operator, without a message. */
  public Object byHand(String... words) {
    return model.call(words);
  }

  /** Whether a lock is held on it. */
  public boolean holds(String lock) {
    return model.call("EXISTS", text(LockKeys.lock(lock)), lock).equals(1L);
  }

  /** The number of waiters in a lock's line. */
  public long waiters(String lock) {
    return (Long) model.call("ZCARD", text(KeySpace.WHOLE.keys(lock).waiters()));
  }

  static String text(byte[] ascii) {
    return new String(ascii, java.nio.charset.StandardCharsets.US_ASCII);
  }

  String runId() {
    return RunGuard.runId((String) model.call("INFO", "server"));
  }

  @Override
  public String toString() {
    return node.toString();
  }
}
