package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.spi.quorum.ListedNode.Membership;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client and one node of a quorum know of each other: for how long the client wants it to
 * stay out, whether it has voted for the client, the node's id, and which nodes the client has. The
 * node's part of it is in its marker, the key {@code lh:node}; {@code voters.lua}, {@code
 * guard.lua} and {@code enter.lua} tell more. Thread-safe.
 */
public final class NodeVoter {
  private final Duration longestLease;
  private final KeySpace space;
  private volatile Supplier<Membership> membership = () -> Membership.UNKNOWN;
  private final AtomicBoolean asksForId = new AtomicBoolean();
  private final AtomicBoolean refused = new AtomicBoolean();
  private volatile boolean voted;
  private volatile String id = "";

  /**
   * For a client with such leases.
   *
   * @param longestLease the server counts with it at least while it votes for the client
   */
  public NodeVoter(Duration longestLease, KeySpace space) {
    this.longestLease = longestLease;
    this.space = space;
  }

  /** No lease of the client is longer. */
  public Duration longestLease() {
    return longestLease;
  }

  /**
   * How often the client enters again: while it may get a vote, the node has to know for how long,
   * so that it can forget a vote and not that. A third, of which one may be missed.
   */
  public Duration entersEvery() {
    return RunGuard.staysOutFor(longestLease).dividedBy(3);
  }

  /** The node's id; empty while it is not known, or has none. */
  public String id() {
    return id;
  }

  /** Has each vote tell which nodes the client has. */
  public void partOf(Supplier<Membership> nodes) {
    membership = nodes;
  }

  /** Tells the server that this run was met. */
  public ScriptRequest enter(String runId) {
    return new ScriptRequest(
        Script.ENTER, new byte[][] {space.marker()}, bytes(enterArguments(runId)));
  }

  /** What {@code enter.lua} wants to know. */
  public List<String> enterArguments(String runId) {
    return List.of(runId, millis(), voted ? "1" : "0", id);
  }

  /**
   * Takes in the answer to {@link #enter}.
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

  /** {@link #enter} failed: its answer never comes, so the next vote has it sent again. */
  public void notEntered() {
    asksForId.set(false);
  }

  /**
   * A script that takes a lock, guarded.
   *
   * @param guarded what its script is with a guard before it
   * @param runId of the server that the connection leads to for certain
   */
  public ScriptRequest guard(ScriptRequest request, Script guarded, String runId) {
    byte[][] before = request.keys();
    byte[][] keys = new Arguments(before.length + 1).addAll(before).add(space.marker()).all();
    Membership nodes = membership.get();
    byte[][] more = bytes(List.of(nodes.lists(), nodes.names(), runId, millis()));
    return new ScriptRequest(guarded, keys, request.with(more).arguments(), request.kind());
  }

  /** What a guard wants to know that asks the server itself for its run. */
  public List<String> guardArguments() {
    Membership nodes = membership.get();
    return List.of(nodes.lists(), nodes.names(), millis());
  }

  /**
   * The node has voted for the client.
   *
   * @return whether it should be entered again: it has an id by now, which is not known yet
   */
  public boolean voted() {
    voted = true;
    refused.set(false);
    return id.isEmpty() && !asksForId.getAndSet(true);
  }

  /**
   * Whether an operator is to be told of a refusal: that the client has another list of nodes, once
   * until the node votes for it again.
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
