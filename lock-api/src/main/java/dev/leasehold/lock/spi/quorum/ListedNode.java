package dev.leasehold.lock.spi.quorum;

import java.util.function.Supplier;

/**
 * A node that refuses to vote for two clients if their lists of nodes have disjoint majorities. If
 * a list is changed too fast, the nodes common to the old and the new list detect it.
 */
public interface ListedNode extends IdentifiedStore {

  /**
   * The node's own id, which it keeps across restarts; empty while it is unknown or does not exist.
   * A node has no id until it votes. Does not block.
   */
  String nodeId();

  /**
   * Sets the list of the quorum's nodes that is sent with each vote; no list is sent before this
   * call.
   */
  void partOf(Supplier<Membership> membership);

  /**
   * The nodes of a majority quorum.
   *
   * @param lists the nodes' {@linkplain #nodeId ids} separated by commas, {@code ?} for unknown
   *     ids; while one list replaces another and a hold needs a majority of both, both lists
   *     separated by {@code |}
   * @param names the same lists with the nodes' addresses, for messages: without credentials or
   *     spaces
   */
  record Membership(String lists, String names) {
    /** The membership of a quorum that does not state it: nodes cannot compare it. */
    public static final Membership UNKNOWN = new Membership("-", "-");
  }
}
