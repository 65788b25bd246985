package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.spi.quorum.ListedNode.Membership;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client and one node of a quorum know of each other: the quarantine that the client's
 * leases need, whether the node has voted for the client, the node's id, and the client's list of
 * nodes. The node keeps its part in its marker, the key {@code lh:node}, which {@code usual.lua},
 * {@code voters.lua}, {@code guard.lua} and {@code enter.lua} describe. Thread-safe.
 */
public final class NodeVoter {
  /** In place of a run: the script asks the server, since connections come and go unseen. */
  public static final String ASK = "?";

  private final Duration longestLease;
  private final KeySpace space;
  private volatile Supplier<Membership> membership = () -> Membership.UNKNOWN;
  private final AtomicBoolean asksForId = new AtomicBoolean();
  private final AtomicBoolean refused = new AtomicBoolean();
  private volatile boolean voted;
  private volatile String id = "";

  /**
   * For a client with leases up to this length.
   *
   * @param longestLease the least quarantine that the server applies while it votes for the client
   */
  public NodeVoter(Duration longestLease, KeySpace space) {
    this.longestLease = longestLease;
    this.space = space;
  }

  /** The longest lease that the client uses. */
  public Duration longestLease() {
    return longestLease;
  }

  /**
   * How often the client registers its longest lease again. While the client may get votes, the
   * node must know that length, so that a node which has forgotten a vote still knows how long to
   * stay out. A third of it, so that one registration may be missed.
   */
  public Duration entersEvery() {
    return RunGuard.staysOutFor(longestLease).dividedBy(3);
  }

  /** The node's id; empty if it is unknown or the node has none. */
  public String id() {
    return id;
  }

  /** Sets the client's list of nodes, which is sent with each vote. */
  public void partOf(Supplier<Membership> nodes) {
    membership = nodes;
  }

  /** Registers the client and the server's run with the node. */
  public ScriptRequest enter(String runId) {
    return new ScriptRequest(
        Script.ENTER, new byte[][] {space.marker()}, bytes(enterArguments(runId)));
  }

  /** The arguments of {@code enter.lua}. */
  public List<String> enterArguments(String runId) {
    return List.of(runId, millis(), voted ? "1" : "0", id);
  }

  /**
   * Parses the reply to {@link #enter}.
   *
   * @return for how long the node does not vote yet
   */
  public Duration entered(@Nullable List<?> reply) {
    if (reply == null || reply.size() != 2) {
      throw new IllegalStateException("enter.lua answered " + reply);
    }
    Object told = reply.get(1);
    asksForId.set(false);
    id = told instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(told);
    return Duration.ofMillis((Long) reply.get(0));
  }

  /** {@link #enter} failed without a reply: it is repeated with the next vote. */
  public void notEntered() {
    asksForId.set(false);
  }

  /**
   * Adds a guard to an acquisition's script.
   *
   * @param guarded the script with the guard before it
   * @param runId the run of the server that this connection certainly leads to, or {@link #ASK}
   */
  public ScriptRequest guard(ScriptRequest request, Script guarded, String runId) {
    byte[][] before = request.keys();
    byte[][] keys = new Arguments(before.length + 1).addAll(before).add(space.marker()).all();
    byte[][] more = bytes(guardArguments(runId));
    return new ScriptRequest(guarded, keys, request.with(more).arguments(), request.kind());
  }

  /** The arguments of {@code guard.lua}, which end those of a script. */
  public List<String> guardArguments(String runId) {
    Membership nodes = membership.get();
    return List.of(nodes.lists(), nodes.names(), runId, millis());
  }

  /**
   * The node has voted for the client.
   *
   * @return whether to enter again, to learn the id that the node has by now
   */
  public boolean voted() {
    voted = true;
    refused.set(false);
    return id.isEmpty() && !asksForId.getAndSet(true);
  }

  /**
   * Whether to report a refusal to the operator: one because of another list of nodes is reported
   * once, until the node votes for the client again.
   */
  public boolean isNews(String refusal) {
    return RedisErrors.isOtherNodes(refusal) && !refused.getAndSet(true);
  }

  private String millis() {
    return Long.toString(RunGuard.staysOutFor(longestLease).toMillis());
  }

  private static byte[][] bytes(List<String> texts) {
    return texts.stream().map(text -> text.getBytes(UTF_8)).toArray(byte[][]::new);
  }
}
